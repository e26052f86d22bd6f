import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { longestComment, titleLength } from './fixtures/limits.ts'
import { ListOf, Time, UserRef, pageQuery } from './control.ts'
import {
  accessStatuses,
  changedStatuses,
  discussionEventTypes,
  discussionStatuses,
  refKinds,
  repoTypes,
} from './words/hub-words.ts'
import { flag, integer, text } from './plain-fields.ts'

// Contents of a repository and actions of a user on it.

const repoParams = {
  type: OneOf(repoTypes, 'Kind of repository'),
  namespace: text('User or organization'),
  name: text('Name in it'),
}
export const RepoParams = Type.Object(repoParams)
export type RepoParams = Static<typeof RepoParams>
export const CommitParams = Type.Object({
  ...repoParams,
  id: text('Commit; 7 to 40 hex digits'),
})
export type CommitParams = Static<typeof CommitParams>
export const DiscussionParams = Type.Object({
  ...repoParams,
  num: Type.Integer({ minimum: 1, description: 'Number in the repository' }),
})
export type DiscussionParams = Static<typeof DiscussionParams>

const Revision = Type.String({
  minLength: 1,
  description: 'Branch, tag, `refs/pr/N` or commit. Default: main',
})

const Html = (what: string) => text(`${what} as HTML without scripts, images and foreign markup`)

export const DiffQuery = Type.Object({
  diff: Type.Optional(
    Type.Literal('1', { description: 'Includes the changed lines, as git prints them' }),
  ),
})
export type DiffQuery = Static<typeof DiffQuery>
const Diff = Type.Optional(text('Unified diff; binary and very large files have no lines'))

export const RevisionQuery = Type.Object({ revision: Type.Optional(Revision), ...pageQuery })
export type RevisionQuery = Static<typeof RevisionQuery>

export const RepoFileItem = Type.Object({
  path: text('Path in the repository'),
  size: integer('Bytes'),
  oid: text('Git blob id; of a large file, that of its pointer'),
  storage: Type.Optional(
    OneOf(['xet', 'lfs'], 'How a large file is stored: the commit has a pointer to it'),
  ),
})
export type RepoFileItem = Static<typeof RepoFileItem>
export const RepoEntry = Type.Object({
  ...RepoFileItem.properties,
  type: OneOf(['file', 'folder'], 'Kind of entry'),
})
export type RepoEntry = Static<typeof RepoEntry>
export const RepoFileList = ListOf(RepoEntry)
export type RepoFileList = Static<typeof RepoFileList>
export const RepoFilesQuery = Type.Object({
  ...RevisionQuery.properties,
  folder: Type.Optional(
    text(
      'Lists only this folder, its folders first; empty = the root. Default: all files, without folders',
    ),
  ),
})
export type RepoFilesQuery = Static<typeof RepoFilesQuery>

export const FileQuery = Type.Object({
  path: Type.String({ minLength: 1, description: 'Path of a file' }),
  revision: Type.Optional(Revision),
})
export type FileQuery = Static<typeof FileQuery>
export const RepoFile = Type.Object(
  {
    ...RepoFileItem.properties,
    commitId: text('Commit that the revision points to'),
    binary: flag('Whether the file is large or not UTF-8 text; its content is left out'),
    content: Type.Optional(text('Text; cut if the file is large')),
    truncated: flag('Whether the text was cut after 1 MiB'),
    html: Type.Optional(Html('A Markdown file')),
  },
  { description: 'A file as text' },
)
export type RepoFile = Static<typeof RepoFile>

export const CommitItem = Type.Object(
  {
    id: text('Git commit id'),
    title: text('First line'),
    message: text('Rest of the message'),
    author: text('Username at that time; `system` for the Hub'),
    date: Time('Time, in whole seconds'),
    parents: Type.Array(Type.String(), { description: 'Parent commits' }),
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
    added: Paths('Files added, compared with the first parent'),
    modified: Paths('Files changed'),
    deleted: Paths('Files deleted'),
    more: integer('Number of further files; the lists hold the first 1,000'),
    diff: Diff,
  },
  { description: 'A commit and the files that it changes' },
)
export type CommitDetail = Static<typeof CommitDetail>

export const TimelineItem = Type.Object(
  {
    id: text('24 hex digits'),
    type: OneOf(discussionEventTypes, 'Kind'),
    author: Type.Optional(UserRef),
    createdAt: Time('Time'),
    content: Type.Optional(text('Content, unless hidden')),
    html: Type.Optional(Html('Content')),
    hidden: Type.Optional(flag('Whether the comment is hidden')),
    editedAt: Type.Optional(Time('Time of the last edit')),
    status: Type.Optional(text('New status')),
    from: Type.Optional(text('Title before')),
    to: Type.Optional(text('Title after')),
    subject: Type.Optional(text('Title of a commit')),
    oid: Type.Optional(text('Commit')),
  },
  { description: 'An entry of a discussion; the first is its opening comment' },
)
export type TimelineItem = Static<typeof TimelineItem>

export const DiscussionDetail = Type.Object(
  {
    num: integer('Number in the repository'),
    title: text('Title'),
    status: OneOf(discussionStatuses, 'Status'),
    isPullRequest: flag('Whether it is a pull request'),
    author: UserRef,
    createdAt: Time('Creation time'),
    base: Type.Optional(text('Target ref of the pull request')),
    mergeCommitId: Type.Optional(text('Merge commit')),
    conflicts: Type.Array(Type.String(), {
      description: 'Files with conflicts that block the merge',
    }),
    timeline: Type.Array(TimelineItem, { description: 'Oldest first' }),
    diff: Diff,
  },
  { description: 'A discussion or pull request with its comments' },
)
export type DiscussionDetail = Static<typeof DiscussionDetail>

const Actor = Type.String({
  minLength: 1,
  description: 'Acting user, by username; the Hub’s permission rules apply',
})
const Comment = text(`Markdown, 1 to ${longestComment} characters`)
const Title = text(`${titleLength.min} to ${titleLength.max} characters`)
const Strict = { additionalProperties: false } as const

export const CommitRequest = Type.Object(
  {
    user: Actor,
    revision: Type.Optional(Revision),
    files: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
      minProperties: 1,
      description: 'New text by path; null deletes the file',
    }),
    title: Type.String({ minLength: 1, description: 'Title of the commit' }),
    description: Type.Optional(text('Description of the commit')),
    parentCommit: Type.Optional(
      text('Expected head of the revision; the commit is refused if it has moved'),
    ),
    pullRequest: Type.Optional(
      flag('Whether to open a pull request instead of committing to the revision'),
    ),
  },
  Strict,
)
export type CommitRequest = Static<typeof CommitRequest>

export const Committed = Type.Object({
  commit: CommitItem,
  pullRequest: Type.Optional(integer('Number of the opened pull request')),
})
export type Committed = Static<typeof Committed>

const ref = {
  user: Actor,
  kind: OneOf(refKinds, 'Kind'),
  name: Type.String({ minLength: 1, description: 'Name without refs/…' }),
}
export const CreateRefRequest = Type.Object({ ...ref, revision: Type.Optional(Revision) }, Strict)
export type CreateRefRequest = Static<typeof CreateRefRequest>
export const DeleteRefQuery = Type.Object(ref)
export type DeleteRefQuery = Static<typeof DeleteRefQuery>

export const OpenDiscussionRequest = Type.Object(
  {
    user: Actor,
    title: Title,
    description: Type.Optional(text('Opening comment; may be empty')),
    pullRequest: Type.Optional(flag('Whether to open a draft pull request without commits')),
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
    status: Type.Optional(
      OneOf(changedStatuses, 'New status: close, reopen, or mark a draft as ready'),
    ),
    comment: Type.Optional(Comment),
  },
  { ...Strict, minProperties: 2 },
)
export type UpdateDiscussionRequest = Static<typeof UpdateDiscussionRequest>

export const MergeRequest = Type.Object({ user: Actor, comment: Type.Optional(Comment) }, Strict)
export type MergeRequest = Static<typeof MergeRequest>

export const AccessParams = Type.Object({
  ...RepoParams.properties,
  username: text('Name of the user'),
})
export type AccessParams = Static<typeof AccessParams>

const RejectionReason = Type.String({ maxLength: 200, description: 'Reason of a rejection' })

export const AccessRequestItem = Type.Object(
  {
    requestId: text('24 hex digits'),
    username: text('Name of the user'),
    status: OneOf(accessStatuses, 'Decision'),
    at: Time('Time of the request'),
    fields: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'Answers by question' }),
    ),
    grantedBy: Type.Optional(text('User who granted access without a request')),
    rejectionReason: Type.Optional(RejectionReason),
  },
  { description: 'Access request of a gated repo' },
)
export type AccessRequestItem = Static<typeof AccessRequestItem>

export const AccessRequestList = ListOf(AccessRequestItem)
export type AccessRequestList = Static<typeof AccessRequestList>

export const DecideAccessRequest = Type.Object(
  {
    status: OneOf(accessStatuses, 'Decision'),
    rejectionReason: Type.Optional(RejectionReason),
  },
  Strict,
)
export type DecideAccessRequest = Static<typeof DecideAccessRequest>
