import { Type, type Static, type TLiteral, type TObject, type TProperties } from 'typebox'
import { LiteralOf } from './one-of.ts'
import {
  anyRepoTypes,
  discussionStatuses,
  type EventAction,
  type EventScope,
} from './words/hub-words.ts'
import { flag, integer, text } from './plain-fields.ts'

// Receivers ignore unknown fields, so no object here refuses additional properties.

const ObjectId = (description: string) => Type.String({ description, minLength: 1 })

const Owner = Type.Object(
  { id: ObjectId('Id of the user or organization') },
  { description: 'Owner of the repository' },
)

const Author = Type.Object({ id: ObjectId('Id of the user') }, { description: 'Author' })

const PageAndApiUrl = Type.Object(
  {
    web: text('URL of the web page'),
    api: text('URL in the Hub API'),
  },
  { description: 'URLs' },
)

export const WebhookRepo = Type.Object(
  {
    type: LiteralOf(anyRepoTypes, { description: 'Kind of repository' }),
    name: Type.String({ description: 'Full name, namespace/name', minLength: 1 }),
    id: ObjectId('Id of the repository, 24 hex digits'),
    private: flag('Whether only its owners can read it'),
    url: PageAndApiUrl,
    owner: Owner,
    headSha: Type.Optional(text('Newest commit of main; only for scopes that start with repo')),
    subdomain: Type.Optional(text('Host label of the app; Spaces only')),
    tags: Type.Optional(
      Type.Array(Type.String(), { description: 'Only from older senders; absent in the sandbox' }),
    ),
  },
  { description: 'Repository of the event' },
)

const WebhookSource = Type.Object(
  {
    id: ObjectId('Id of the webhook'),
    version: Type.Literal(3, { description: 'Version of the payload format' }),
  },
  { description: 'Webhook of this delivery' },
)

export const WebhookDiscussion = Type.Object(
  {
    id: ObjectId('Id of the discussion, 24 hex digits'),
    num: Type.Integer({ description: 'Number within the repository, from 1', minimum: 1 }),
    title: text('Title'),
    url: PageAndApiUrl,
    status: LiteralOf(discussionStatuses, {
      description: 'Status; draft and merged occur for pull requests only',
    }),
    author: Author,
    isPullRequest: flag('Whether it is a pull request'),
    changes: Type.Optional(
      Type.Object(
        {
          base: text('Target ref, such as refs/heads/main'),
          mergeCommitId: Type.Optional(text('Merge commit')),
        },
        { description: 'Pull requests only' },
      ),
    ),
    pinned: Type.Optional(flag('Whether it is pinned')),
  },
  { description: 'The discussion or pull request' },
)

export const WebhookComment = Type.Object(
  {
    id: ObjectId('Id of the comment, 24 hex digits'),
    author: Author,
    content: Type.Optional(text('Markdown; absent while hidden')),
    hidden: flag('Whether it was hidden by its author or a moderator'),
    url: Type.Object(
      { web: text('URL of the discussion with # and the comment id') },
      { description: 'URL; comments have none in the Hub API' },
    ),
  },
  { description: 'The comment' },
)

export const WebhookUpdatedRef = Type.Object(
  {
    ref: text('Full ref name: refs/heads/…, refs/tags/… or refs/pr/…'),
    oldSha: Type.Union([Type.String(), Type.Null()], {
      description: 'Commit before; null for a new ref',
    }),
    newSha: Type.Union([Type.String(), Type.Null()], {
      description: 'Commit after; null for a deleted ref',
    }),
  },
  { description: 'An updated ref' },
)

const UpdatedRefs = Type.Array(WebhookUpdatedRef, { description: 'Updated refs' })

export const WebhookUpdatedFile = Type.Object(
  {
    path: text('Path in the bucket'),
    action: LiteralOf(['add', 'delete'], { description: 'Change; overwriting is add, too' }),
    xetHash: Type.Optional(text('Hash of its chunks; only for add')),
    size: Type.Optional(integer('Bytes; only for add')),
  },
  { description: 'A changed file of a bucket' },
)

const UpdatedConfig = Type.Object(
  { private: Type.Optional(flag('The new visibility')) },
  { description: 'Changed settings; empty if the Hub does not name them' },
)

const MovedTo = Type.Object(
  { name: text('New full name, namespace/name'), owner: Owner },
  { description: 'URL of the repository' },
)

function payloadOf<
  Scope extends EventScope,
  Action extends TLiteral<EventAction>,
  Parts extends TProperties,
>(
  scope: Scope,
  action: Action,
  parts: Parts,
): TObject<
  {
    event: TObject<{ action: Action; scope: ReturnType<typeof Type.Literal<Scope>> }>
    repo: typeof WebhookRepo
    webhook: typeof WebhookSource
  } & Parts
> {
  return Type.Object({
    event: Type.Object(
      { action, scope: Type.Literal(scope, { description: 'Scope' }) },
      { description: 'Type' },
    ),
    repo: WebhookRepo,
    webhook: WebhookSource,
    ...parts,
  })
}

const Create = Type.Literal('create', { description: 'Action' })
const Delete = Type.Literal('delete', { description: 'Action' })
const Move = Type.Literal('move', { description: 'Action' })
const Update = Type.Literal('update', { description: 'Action' })

export const RepoCreatePayload = payloadOf('repo', Create, {})
export const RepoDeletePayload = payloadOf('repo', Delete, {})
export const RepoMovePayload = payloadOf('repo', Move, { movedTo: MovedTo })
export const RepoUpdatePayload = payloadOf('repo', Update, {})
export const RepoContentUpdatePayload = payloadOf('repo.content', Update, {
  updatedRefs: Type.Optional(UpdatedRefs),
  updatedFiles: Type.Optional(
    Type.Array(WebhookUpdatedFile, { description: 'Changed files; buckets only' }),
  ),
  updatedFilesTruncated: Type.Optional(
    Type.Literal(true, { description: 'More than 10,000 files changed, and the rest is left out' }),
  ),
})
export const RepoConfigUpdatePayload = payloadOf('repo.config', Update, {
  updatedConfig: UpdatedConfig,
})
export const DiscussionCreatePayload = payloadOf('discussion', Create, {
  discussion: WebhookDiscussion,
  comment: WebhookComment,
})
export const DiscussionUpdatePayload = payloadOf('discussion', Update, {
  discussion: WebhookDiscussion,
})
export const DiscussionDeletePayload = payloadOf('discussion', Delete, {
  discussion: WebhookDiscussion,
})
export const DiscussionCommentCreatePayload = payloadOf('discussion.comment', Create, {
  discussion: WebhookDiscussion,
  comment: WebhookComment,
})
export const DiscussionCommentUpdatePayload = payloadOf('discussion.comment', Update, {
  discussion: WebhookDiscussion,
  comment: WebhookComment,
})

/** The payload of every event that the hub documents, version 3. */
export const WebhookPayload = Type.Union(
  [
    RepoCreatePayload,
    RepoDeletePayload,
    RepoMovePayload,
    RepoUpdatePayload,
    RepoContentUpdatePayload,
    RepoConfigUpdatePayload,
    DiscussionCreatePayload,
    DiscussionUpdatePayload,
    DiscussionDeletePayload,
    DiscussionCommentCreatePayload,
    DiscussionCommentUpdatePayload,
  ],
  { description: 'Body of a webhook delivery, version 3' },
)

export type WebhookRepo = Static<typeof WebhookRepo>
export type WebhookSource = Static<typeof WebhookSource>
export type WebhookDiscussion = Static<typeof WebhookDiscussion>
export type WebhookComment = Static<typeof WebhookComment>
export type WebhookUpdatedFile = Static<typeof WebhookUpdatedFile>
export type WebhookUpdatedRef = Static<typeof WebhookUpdatedRef>
export type WebhookPayload = Static<typeof WebhookPayload>
export type WebhookScope = WebhookPayload['event']['scope']
