import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { longestComment, titleLength } from './fixtures/limits.ts'
import { ListOf, Time, UserRef, pageQuery } from './control.ts'
import {
  changedStatuses,
  discussionEventTypes,
  discussionStatuses,
  refKinds,
  repoTypes,
} from './words/hub.ts'

// What a repository holds, and what a user of the hub does there.

const repoParams = {
  type: OneOf(repoTypes, 'Kind of repository'),
  namespace: Type.String({ description: 'User or organization' }),
  name: Type.String({ description: 'Name in it' }),
}
export const RepoParams = Type.Object(repoParams)
export type RepoParams = Static<typeof RepoParams>
export const CommitParams = Type.Object({
  ...repoParams,
  id: Type.String({ description: 'Commit; 7 to 40 hex digits' }),
})
export const DiscussionParams = Type.Object({
  ...repoParams,
  num: Type.Integer({ minimum: 1, description: 'Number in the repository' }),
})

const Revision = Type.String({
  minLength: 1,
  description: 'Branch, tag, `refs/pr/N` or commit. Default: main',
})

export const RevisionQuery = Type.Object({ revision: Type.Optional(Revision), ...pageQuery })
export type RevisionQuery = Static<typeof RevisionQuery>

export const RepoFileItem = Type.Object({
  path: Type.String({ description: 'Path in the repository' }),
  size: Type.Integer({ description: 'Bytes' }),
  oid: Type.String({ description: 'Git blob id' }),
})
export type RepoFileItem = Static<typeof RepoFileItem>
export const RepoFileList = ListOf(RepoFileItem)
export type RepoFileList = Static<typeof RepoFileList>

export const FileQuery = Type.Object({
  path: Type.String({ minLength: 1, description: 'Path of a file' }),
  revision: Type.Optional(Revision),
})
export const RepoFile = Type.Object(
  {
    ...RepoFileItem.properties,
    commitId: Type.String({ description: 'Commit that the revision means now' }),
    binary: Type.Boolean({ description: 'No UTF-8 text: its content is not told' }),
    content: Type.Optional(Type.String({ description: 'Text; of a large file its beginning' })),
    truncated: Type.Boolean({ description: 'Whether there is more than 1 MiB of text' }),
  },
  { description: 'A file as text' },
)
export type RepoFile = Static<typeof RepoFile>

export const CommitItem = Type.Object(
  {
    id: Type.String({ description: 'Git commit id' }),
    title: Type.String({ description: 'First line' }),
    message: Type.String({ description: 'The rest' }),
    author: Type.String({ description: 'Username at that time; `system` for the hub' }),
    date: Time('To the second'),
    parents: Type.Array(Type.String(), { description: 'Commits that it builds on' }),
  },
  { description: 'A commit' },
)
export type CommitItem = Static<typeof CommitItem>
export const CommitList = ListOf(CommitItem)
export type CommitList = Static<typeof CommitList>

const Paths = (description: string) => Type.Array(Type.String(), { description })
export const CommitDetail = Type.Object(
  {
    ...CommitItem.properties,
    added: Paths('Files that are new, against the first parent'),
    modified: Paths('Files that changed'),
    deleted: Paths('Files that are gone'),
    more: Type.Integer({ description: 'Files beyond the first 1,000 that are in none of these' }),
  },
  { description: 'A commit and the files that it changes' },
)
export type CommitDetail = Static<typeof CommitDetail>

export const TimelineItem = Type.Object(
  {
    id: Type.String({ description: '24 hex digits' }),
    type: OneOf(discussionEventTypes, 'What it is'),
    author: Type.Optional(UserRef),
    createdAt: Time('When it happened'),
    content: Type.Optional(Type.String({ description: 'Of a comment that is not hidden' })),
    hidden: Type.Optional(Type.Boolean({ description: 'A comment that was hidden' })),
    editedAt: Type.Optional(Time('When a comment was last edited')),
    status: Type.Optional(Type.String({ description: 'New status' })),
    from: Type.Optional(Type.String({ description: 'Title before' })),
    to: Type.Optional(Type.String({ description: 'Title after' })),
    subject: Type.Optional(Type.String({ description: 'Title of a commit' })),
    oid: Type.Optional(Type.String({ description: 'Commit' })),
  },
  { description: 'An entry of a discussion; the first is its opening comment' },
)
export type TimelineItem = Static<typeof TimelineItem>

export const DiscussionDetail = Type.Object(
  {
    num: Type.Integer({ description: 'Number in the repository' }),
    title: Type.String({ description: 'Title' }),
    status: OneOf(discussionStatuses, 'Status'),
    isPullRequest: Type.Boolean({ description: 'Whether it proposes a change' }),
    author: UserRef,
    createdAt: Time('When it was opened'),
    base: Type.Optional(Type.String({ description: 'Ref that a pull request is for' })),
    mergeCommitId: Type.Optional(Type.String({ description: 'Commit that merged it' })),
    conflicts: Type.Array(Type.String(), { description: 'Files that keep it from being merged' }),
    timeline: Type.Array(TimelineItem, { description: 'Oldest first' }),
  },
  { description: 'A discussion or pull request with its comments' },
)
export type DiscussionDetail = Static<typeof DiscussionDetail>

const Actor = Type.String({
  minLength: 1,
  description: 'Who does it, by username; the hub’s rules of permission apply',
})
const Comment = Type.String({ description: `Markdown, 1 to ${longestComment} characters` })
const Title = Type.String({ description: `${titleLength.min} to ${titleLength.max} characters` })
const Strict = { additionalProperties: false } as const

export const CommitRequest = Type.Object(
  {
    user: Actor,
    revision: Type.Optional(Revision),
    files: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
      minProperties: 1,
      description: 'Path to its new text, or null to delete it',
    }),
    title: Type.String({ minLength: 1, description: 'First line of the message' }),
    description: Type.Optional(Type.String({ description: 'The rest of the message' })),
    parentCommit: Type.Optional(
      Type.String({ description: 'Refused unless the revision is still there' }),
    ),
    pullRequest: Type.Optional(
      Type.Boolean({ description: 'As a pull request of its own, in place of the revision' }),
    ),
  },
  Strict,
)
export type CommitRequest = Static<typeof CommitRequest>

export const Committed = Type.Object({
  commit: CommitItem,
  pullRequest: Type.Optional(Type.Integer({ description: 'Number of the one that was opened' })),
})
export type Committed = Static<typeof Committed>

const ref = {
  user: Actor,
  kind: OneOf(refKinds, 'What it is'),
  name: Type.String({ minLength: 1, description: 'Without refs/…' }),
}
export const CreateRefRequest = Type.Object({ ...ref, revision: Type.Optional(Revision) }, Strict)
export type CreateRefRequest = Static<typeof CreateRefRequest>
export const DeleteRefQuery = Type.Object(ref)
export type DeleteRefQuery = Static<typeof DeleteRefQuery>

export const OpenDiscussionRequest = Type.Object(
  {
    user: Actor,
    title: Title,
    description: Type.Optional(Type.String({ description: 'Opening comment; may be empty' })),
    pullRequest: Type.Optional(
      Type.Boolean({ description: 'A draft pull request without commits' }),
    ),
  },
  Strict,
)
export type OpenDiscussionRequest = Static<typeof OpenDiscussionRequest>

export const CommentRequest = Type.Object({ user: Actor, content: Comment }, Strict)
export type CommentRequest = Static<typeof CommentRequest>

export const UpdateDiscussionRequest = Type.Object(
  {
    user: Actor,
    title: Type.Optional(Title),
    status: Type.Optional(OneOf(changedStatuses, 'Closes it, or opens it again or out of draft')),
    comment: Type.Optional(Comment),
  },
  { ...Strict, minProperties: 2 },
)
export type UpdateDiscussionRequest = Static<typeof UpdateDiscussionRequest>

export const MergeRequest = Type.Object({ user: Actor, comment: Type.Optional(Comment) }, Strict)
export type MergeRequest = Static<typeof MergeRequest>
