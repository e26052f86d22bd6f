import { ownerTypes } from './account-words.ts'

// Words of repos, their discussions and collections, and of the events that happen to them.

export const repoTypes = ['model', 'dataset', 'space'] as const
export type RepoType = (typeof repoTypes)[number]

/** Types of everything that has a name, an owner and files: git repos, and buckets, which have no history. */
export const anyRepoTypes = [...repoTypes, 'bucket'] as const
export type AnyRepoType = (typeof anyRepoTypes)[number]

/** Ways in which clients send large files. */
export const largeFileWays = ['xet', 'lfs'] as const
export type LargeFileWay = (typeof largeFileWays)[number]

/** Hosts of the storage of large files: one of its own, or that of the Hub. */
export const storageHosts = ['own', 'same'] as const
export type StorageHost = (typeof storageHosts)[number]

export const visibilities = ['public', 'private', 'protected'] as const
export type Visibility = (typeof visibilities)[number]

/** Ways of deciding access requests of a gated repo; a repo that is not gated has `false`. */
export const gatings = ['auto', 'manual'] as const
export type Gated = false | (typeof gatings)[number]

/** Decisions on an access request of a gated repo. */
export const accessStatuses = ['pending', 'accepted', 'rejected'] as const
export type AccessStatus = (typeof accessStatuses)[number]

/** SDKs of a new Space. */
export const newSpaceSdks = ['gradio', 'docker', 'static'] as const
export const spaceSdks = [...newSpaceSdks, 'streamlit'] as const

/** Hardware of jobs and Spaces, from small to large; the first is the default. */
export const jobFlavors = [
  'cpu-basic',
  'cpu-upgrade',
  'cpu-performance',
  'cpu-xl',
  'sprx8',
  'zero-a10g',
  't4-small',
  't4-medium',
  'l4x1',
  'l4x4',
  'l40sx1',
  'l40sx4',
  'l40sx8',
  'a10g-small',
  'a10g-large',
  'a10g-largex2',
  'a10g-largex4',
  'a100-large',
  'a100x4',
  'a100x8',
  'h200',
  'h200x2',
  'h200x4',
  'h200x8',
  'rtx-pro-6000',
  'rtx-pro-6000x2',
  'rtx-pro-6000x4',
  'rtx-pro-6000x8',
  'inf2x6',
] as const

/** Hardware of Spaces; the first is free and the default. */
export const spaceFlavors = [...jobFlavors, 'zerogpu'] as const
export type SpaceFlavor = (typeof spaceFlavors)[number]

/** Persistent storage of a Space, from small to large. */
export const storageTiers = ['small', 'medium', 'large'] as const
export type StorageTier = (typeof storageTiers)[number]

/** Storage regions of a repo. */
export const repoRegions = ['us', 'eu'] as const
export type RepoRegion = (typeof repoRegions)[number]

/** Providers of a content delivery network for buckets, each in the regions of the storage. */
export const cdnProviders = ['gcp', 'aws'] as const

/** Volume types of a Space. */
export const volumeTypes = ['bucket', 'model', 'dataset', 'space'] as const

/** Stages of a Space. */
export const spaceStages = ['BUILDING', 'RUNNING', 'SLEEPING', 'PAUSED'] as const
export type SpaceStage = (typeof spaceStages)[number]

/** `draft` and `merged`: pull requests only. */
export const discussionStatuses = ['draft', 'open', 'closed', 'merged'] as const
export type DiscussionStatus = (typeof discussionStatuses)[number]

/** Statuses that a user can set on a discussion; merging is a separate action. */
export const changedStatuses = ['open', 'closed'] as const satisfies readonly DiscussionStatus[]
export type ChangedStatus = (typeof changedStatuses)[number]

/** Entries in the timeline of a discussion. */
export const discussionEventTypes = ['comment', 'status-change', 'title-change', 'commit'] as const

/** Kinds of refs that a user can create. */
export const refKinds = ['branch', 'tag'] as const
export type RefKind = (typeof refKinds)[number]

/** Rights of a token for the Xet storage. */
export const xetRights = ['read', 'write'] as const
export type XetRight = (typeof xetRights)[number]

/** Item types of a collection. */
export const collectionItemTypes = [...anyRepoTypes, 'paper', 'collection'] as const
export type CollectionItemType = (typeof collectionItemTypes)[number]

/** Colours of a collection; the first is the default. */
export const collectionThemes = ['orange', 'blue', 'green', 'purple', 'pink', 'indigo'] as const
export type CollectionTheme = (typeof collectionThemes)[number]

/** Resource types of fine-grained tokens. */
export const entityTypes = [...ownerTypes, ...anyRepoTypes, 'collection'] as const

/** Marks that a user can set: on a repo, an account or a collection. */
export const markKinds = ['like', 'follow', 'upvote'] as const
export type MarkKind = (typeof markKinds)[number]

/** Encodings of bytes as text. */
export const encodings = ['utf-8', 'base64'] as const
export type Encoding = (typeof encodings)[number]

/** Scopes of events. */
export const eventScopes = [
  'repo',
  'repo.content',
  'repo.config',
  'discussion',
  'discussion.comment',
] as const
export type EventScope = (typeof eventScopes)[number]

export const eventActions = ['create', 'update', 'delete', 'move'] as const
export type EventAction = (typeof eventActions)[number]

/** Cause: a client of the hub's API, the sandbox's user, or none, because the state did not change. */
export const eventCauses = ['api', 'trigger', 'synthetic'] as const
export type EventCause = (typeof eventCauses)[number]

/** Logs of a Space. */
export const spaceLogKinds = ['build', 'run'] as const
export type SpaceLogKind = (typeof spaceLogKinds)[number]

/** Orders of a list of discussions. */
export const discussionOrders = ['recently-created', 'trending', 'reactions'] as const

/** Reactions to a comment. */
export const reactionNames = [
  'fire',
  'rocket',
  'eyes',
  'heart',
  'hugs',
  'cool',
  'plus',
  'brain',
  'thumbsup',
  'handshake',
  'sad',
  'mindblown',
] as const
export type ReactionName = (typeof reactionNames)[number]
