import { type Static, Type } from 'typebox'
import { longestComment, titleLength } from './fixtures/limits.ts'
import { accountNamePattern } from './fixtures/names.ts'
import { OneOf } from './one-of.ts'
import { ownerTypes } from './words/account-words.ts'
import {
  changedStatuses,
  discussionEventTypes,
  discussionStatuses,
  repoTypes,
  discussionOrders,
  reactionNames,
} from './words/hub-words.ts'
import { flag, integer, text } from './plain-fields.ts'

// Discussions and pull requests in the hub's API. Responses may have further fields, which clients ignore.

const Time = Type.String({ format: 'date-time' })
const Title = Type.String({
  minLength: titleLength.min,
  maxLength: titleLength.max,
  description: 'Title',
})
const Content = Type.String({
  minLength: 1,
  maxLength: longestComment,
  description: 'Text in Markdown',
})

export const discussionKinds = ['all', 'discussion', 'pull_request'] as const
export const discussionFilters = ['all', 'open', 'closed'] as const

export const DiscussionsQuery = Type.Object({
  p: Type.Optional(Type.Integer({ minimum: 0, default: 0, description: 'Page of 50, from 0' })),
  type: Type.Optional(OneOf(discussionKinds, 'Kind', 'all')),
  status: Type.Optional(
    OneOf(discussionFilters, 'open includes drafts, closed includes merged', 'all'),
  ),
  author: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 42,
      pattern: accountNamePattern,
      description: 'User name of the author',
    }),
  ),
  search: Type.Optional(text('Text in the title')),
  sort: Type.Optional(
    OneOf(
      discussionOrders,
      '`reactions`: most users who reacted first; else the newest first',
      'recently-created',
    ),
  ),
})
export type DiscussionsQuery = Static<typeof DiscussionsQuery>

export const DiscussionQuery = Type.Object({
  diff: Type.Optional(text('`1`: also the diff of a pull request, as git prints it')),
})

export const NewDiscussionBody = Type.Object({
  title: Title,
  description: Type.String({
    maxLength: longestComment,
    description: 'First comment, in Markdown; may be empty',
  }),
  pullRequest: Type.Optional(flag('Whether to open a draft pull request for main')),
})
export const CommentBody = Type.Object({ comment: Content })
export const EditCommentBody = Type.Object({ content: Content })
export const TitleBody = Type.Object({ title: Title })
const AlsoComment = Type.Optional(
  Type.String({ maxLength: longestComment, description: 'Comment to add first' }),
)
export const StatusBody = Type.Object({
  status: OneOf(changedStatuses, 'New status'),
  comment: AlsoComment,
})
export const PinBody = Type.Object({ pinned: flag('Whether to pin it') })
export const ReactionBody = Type.Object({
  reaction: text(`One of ${reactionNames.join(', ')}, or its emoji`),
})
export const MergeBody = Type.Union([Type.Object({ comment: AlsoComment }), Type.Null()])

export const DiscussionAuthorResponse = Type.Object(
  {
    _id: text('24 hex digits'),
    name: text('User name'),
    fullname: text('Display name'),
    avatarUrl: text('Path or URL of the picture'),
    type: OneOf(['user'], 'Kind of account'),
    isPro: flag('Whether the user has a PRO subscription'),
    isHf: flag('Always false'),
    isHfAdmin: flag('Always false'),
    isMod: flag('Always false'),
  },
  { description: 'Absent if the account was deleted' },
)
export type DiscussionAuthorResponse = Static<typeof DiscussionAuthorResponse>

export const DiscussionReactionResponse = Type.Object({
  reaction: OneOf(reactionNames, 'Name'),
  users: Type.Array(Type.String(), { description: 'User names' }),
  count: integer('Number of users'),
})
export type DiscussionReactionResponse = Static<typeof DiscussionReactionResponse>

const common = {
  num: integer('Number in the repo'),
  title: Type.String(),
  status: OneOf(discussionStatuses, 'Status; draft and merged are for pull requests'),
  isPullRequest: Type.Boolean(),
  createdAt: Time,
  pinned: Type.Boolean(),
  author: Type.Optional(DiscussionAuthorResponse),
  repo: Type.Object({
    name: text('`namespace/name`'),
    type: OneOf(repoTypes, 'Type'),
  }),
}
const summary = {
  ...common,
  numComments: integer('Number of comments, with the first'),
  topReactions: Type.Array(Type.Object({ reaction: OneOf(reactionNames), count: Type.Integer() }), {
    description: 'The most frequent reactions to its comments, at most three',
  }),
  numReactionUsers: integer('Number of users who reacted to a comment'),
  repoOwner: Type.Object({
    name: text('Namespace'),
    type: OneOf(ownerTypes, 'Kind'),
    isParticipating: flag('Whether the user who owns the repo commented'),
    isDiscussionAuthor: flag('Whether that user opened it'),
  }),
}
export const DiscussionSummaryResponse = Type.Object(summary)
export type DiscussionSummaryResponse = Static<typeof DiscussionSummaryResponse>

export const DiscussionsResponse = Type.Object({
  discussions: Type.Array(DiscussionSummaryResponse, { description: 'Newest first' }),
  count: integer('Number of all that match'),
  start: integer('Place of the first of this page, from 0'),
  numClosedDiscussions: integer('Number of all that are closed or merged'),
})
export type DiscussionsResponse = Static<typeof DiscussionsResponse>

const CommentVersion = Type.Object({
  raw: text('Markdown'),
  html: text('HTML'),
  updatedAt: Time,
  author: Type.Optional(DiscussionAuthorResponse),
})
export const DiscussionEventResponse = Type.Object({
  id: text('24 hex digits'),
  type: OneOf(discussionEventTypes, 'Kind of entry'),
  createdAt: Time,
  author: Type.Optional(
    Type.Object({
      ...DiscussionAuthorResponse.properties,
      isOwner: flag('Whether the repo belongs to the user'),
      isOrgMember: flag('Whether the repo belongs to an organization of the user'),
    }),
  ),
  data: Type.Object(
    {
      // comment
      edited: Type.Optional(Type.Boolean()),
      hidden: Type.Optional(flag('Whether its text was hidden')),
      latest: Type.Optional(CommentVersion),
      history: Type.Optional(
        Type.Array(CommentVersion, { description: 'Earlier versions, oldest first' }),
      ),
      numEdits: Type.Optional(Type.Integer()),
      editors: Type.Optional(Type.Array(Type.String(), { description: 'User names' })),
      editorAvatarUrls: Type.Optional(Type.Array(Type.String())),
      isReport: Type.Optional(flag('Always false')),
      reactions: Type.Optional(Type.Array(DiscussionReactionResponse)),
      // status-change
      status: Type.Optional(Type.String()),
      // title-change
      from: Type.Optional(Type.String()),
      to: Type.Optional(Type.String()),
      // commit
      subject: Type.Optional(Type.String()),
      oid: Type.Optional(text('Commit id')),
    },
    { description: 'Fields of this kind of entry' },
  ),
})
export type DiscussionEventResponse = Static<typeof DiscussionEventResponse>

export const DiscussionResponse = Type.Object({
  _id: text('24 hex digits'),
  ...common,
  locked: flag('Always false'),
  collection: OneOf(['discussions'], 'Kind'),
  isReport: Type.Optional(flag('Always false; absent for pull requests')),
  events: Type.Array(DiscussionEventResponse, { description: 'Oldest first' }),
  changes: Type.Optional(
    Type.Object(
      {
        base: text('Full name of the target branch'),
        mergeCommitId: Type.Optional(Type.String()),
        headCommitId: Type.Optional(text('Head, also after its ref was deleted')),
        refDeleted: Type.Optional(flag('Whether its ref was deleted')),
      },
      { description: 'Only for pull requests' },
    ),
  ),
  filesWithConflicts: Type.Optional(
    Type.Array(Type.String(), { description: 'Only for pull requests: paths' }),
  ),
  diff: Type.Optional(text('With `diff=1`, for pull requests')),
})
export type DiscussionResponse = Static<typeof DiscussionResponse>

export const OpenedDiscussionResponse = Type.Object({
  url: Type.String({ format: 'uri', description: 'Its page' }),
  num: common.num,
  pullRequest: flag('Whether it is a pull request'),
})
export const NewMessageResponse = Type.Object({ newMessage: DiscussionEventResponse })
export const UpdatedCommentResponse = Type.Object({ updatedComment: DiscussionEventResponse })
export const NewTitleResponse = Type.Object({ newTitle: DiscussionEventResponse })
export const NewStatusResponse = Type.Object({ newStatus: DiscussionEventResponse })

export const PullRequestStorageResponse = Type.Object({
  estimatedStorage: integer('Bytes of the Git LFS objects that only the pull request has'),
  refDeleted: flag('Whether its ref was deleted'),
})
export type PullRequestStorageResponse = Static<typeof PullRequestStorageResponse>
