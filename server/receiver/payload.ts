import type {
  AnyRepoType,
  DiscussionStatus,
  EventAction,
  EventScope,
} from '../contract/words/hub-words.ts'
// Declared by hand although the contract has similar shapes as schemas: these declarations are published, and a project that
// installs the package has no typebox. They are wider than the contract, which describes what is sent: a member that the Hub's
// Python helper does not require is optional. A stricter receiver would refuse deliveries, and the Hub suspends such webhooks.

/** Scopes of the events that the hub documents. */
export type KnownScope = EventScope
export type Action = EventAction

export interface PageAndApiUrl {
  web: string
  api?: string
}

export interface Repo {
  type: AnyRepoType
  /** namespace/name */
  name: string
  id: string
  private: boolean
  url: PageAndApiUrl
  owner: { id: string }
  /** Newest commit of main; only for scopes that start with `repo`. */
  headSha?: string
  /** Spaces only. */
  subdomain?: string
  tags?: string[]
}

export interface Discussion {
  id: string
  num: number
  title: string
  url: PageAndApiUrl
  status: DiscussionStatus
  author: { id: string }
  isPullRequest: boolean
  /** Pull requests only. */
  changes?: { base: string; mergeCommitId?: string }
  pinned?: boolean
}

export interface Comment {
  id: string
  author: { id: string }
  /** Markdown; absent while the comment is hidden. */
  content?: string
  hidden: boolean
  url: PageAndApiUrl
}

export interface UpdatedRef {
  /** `refs/heads/…`, `refs/tags/…` or `refs/pr/…` */
  ref: string
  /** null or absent if the ref is new */
  oldSha?: string | null
  /** null or absent if the ref was removed */
  newSha?: string | null
}

/** A changed file of a bucket. Overwriting a file is `add`, too. */
export interface UpdatedFile {
  path: string
  action: 'add' | 'delete'
  /** Only for `add`. */
  xetHash?: string
  /** Only for `add`, in bytes. */
  size?: number
}

/** Changes of a bucket, instead of `updatedRefs`. */
export interface UpdatedFiles {
  updatedFiles?: UpdatedFile[]
  /** True when more than 10,000 files changed: list the bucket for the rest. */
  updatedFilesTruncated?: boolean
}

/** Changed settings; empty if the Hub does not name them. */
export interface UpdatedConfig {
  private?: boolean
}

export interface MovedTo {
  name: string
  owner: { id: string }
}

export interface Webhook {
  id: string
  version: 3
}

interface Parts {
  updatedRefs: UpdatedRef[]
  updatedConfig: UpdatedConfig
  movedTo: MovedTo
  discussion: Discussion
  comment: Comment
}

// Members that an event does not have are typed as absent, so that `if (event.updatedRefs)` narrows:
// TypeScript does not narrow a union by a property of a property such as `event.event.scope`.
type Payload<Scope extends string, A extends Action, Known extends keyof Parts = never> = {
  event: { action: A; scope: Scope }
  repo: Repo
  webhook: Webhook
} & Partial<Pick<Parts, Known>> & { [Part in Exclude<keyof Parts, Known>]?: never }

/**
 * Payloads by the name of their event, `scope.action`. The Hub sends these members, but does not guarantee them.
 */
export interface PayloadByEvent {
  'repo.create': Payload<'repo', 'create'>
  'repo.delete': Payload<'repo', 'delete'>
  'repo.move': Payload<'repo', 'move', 'movedTo'>
  'repo.update': Payload<'repo', 'update'>
  'repo.content.update': Payload<'repo.content', 'update', 'updatedRefs'> & UpdatedFiles
  'repo.config.update': Payload<'repo.config', 'update', 'updatedConfig'>
  'discussion.create': Payload<'discussion', 'create', 'discussion' | 'comment'>
  'discussion.update': Payload<'discussion', 'update', 'discussion'>
  'discussion.delete': Payload<'discussion', 'delete', 'discussion'>
  'discussion.comment.create': Payload<'discussion.comment', 'create', 'discussion' | 'comment'>
  'discussion.comment.update': Payload<'discussion.comment', 'update', 'discussion' | 'comment'>
}

export type KnownEventName = keyof PayloadByEvent
export type KnownPayload = PayloadByEvent[KnownEventName]

/** Payload with all members of its event. */
export type Complete<P extends KnownPayload> = P extends KnownPayload
  ? P & { [Part in PartsOf<P>]-?: Exclude<P[Part], undefined> }
  : never

type PartsOf<P extends KnownPayload> = {
  [Part in keyof Parts]: [Exclude<P[Part], undefined>] extends [never] ? never : Part
}[keyof Parts]

/**
 * Event that the Hub did not document when this was written. `broaden` converts it into a known one; the members that it has
 * were checked.
 */
export interface UnknownPayload extends Partial<Parts> {
  event: { action: Action; scope: string & {} }
  repo: Repo
  webhook: Webhook
}

/** Body of a delivery. Other members are passed unchanged. */
export type WebhookPayload = KnownPayload | UnknownPayload
