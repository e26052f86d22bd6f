import { ownerTypes } from './accounts.ts'

// Words of repos, their discussions and collections, and of the events that happen to them.

export const repoTypes = ['model', 'dataset', 'space'] as const
export type RepoType = (typeof repoTypes)[number]

export const visibilities = ['public', 'private', 'protected'] as const
export type Visibility = (typeof visibilities)[number]

/** Who answers the requests for access to a gated repo; a repo that is not gated has `false`. */
export const gatings = ['auto', 'manual'] as const
export type Gated = false | (typeof gatings)[number]

/** Answers to a request for access to a gated repo. */
export const accessStatuses = ['pending', 'accepted', 'rejected'] as const
export type AccessStatus = (typeof accessStatuses)[number]

export const spaceSdks = ['gradio', 'docker', 'static', 'streamlit'] as const
export type SpaceSdk = (typeof spaceSdks)[number]

/** Hardware that a Space may run on, from small to large; the first is free and what every Space begins with. */
export const spaceFlavors = [
  'cpu-basic',
  'cpu-upgrade',
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
  'rtx-pro-6000',
  'rtx-pro-6000x2',
  'rtx-pro-6000x4',
  'rtx-pro-6000x8',
] as const
export type SpaceFlavor = (typeof spaceFlavors)[number]

/** Persistent storage of a Space, from small to large. */
export const storageTiers = ['small', 'medium', 'large'] as const
export type StorageTier = (typeof storageTiers)[number]

/** Where a repo may be kept. */
export const repoRegions = ['us', 'eu'] as const
export type RepoRegion = (typeof repoRegions)[number]

/** What a Space may have mounted. */
export const volumeTypes = ['bucket', 'model', 'dataset', 'space'] as const

/** What a Space is doing, of what the hub tells. */
export const spaceStages = ['BUILDING', 'RUNNING', 'PAUSED'] as const
export type SpaceStage = (typeof spaceStages)[number]

/** `draft` and `merged`: pull requests only. */
export const discussionStatuses = ['draft', 'open', 'closed', 'merged'] as const
export type DiscussionStatus = (typeof discussionStatuses)[number]

/** What a user makes of a discussion; a pull request is merged by an act of its own. */
export const changedStatuses = ['open', 'closed'] as const satisfies readonly DiscussionStatus[]
export type ChangedStatus = (typeof changedStatuses)[number]

/** Entries in the timeline of a discussion. */
export const discussionEventTypes = ['comment', 'status-change', 'title-change', 'commit'] as const

/** Names that point at commits, and that a user can make. */
export const refKinds = ['branch', 'tag'] as const
export type RefKind = (typeof refKinds)[number]

/** What a collection of a fixtures file may hold. */
export const collectedTypes = [...repoTypes, 'paper'] as const
/** What a collection may hold. */
export const collectionItemTypes = [...collectedTypes, 'collection'] as const
export type CollectionItemType = (typeof collectionItemTypes)[number]

/** What a fine-grained token may have rights on. */
export const entityTypes = [...ownerTypes, ...repoTypes, 'collection'] as const

/** How bytes are kept and shown as text. */
export const encodings = ['utf-8', 'base64'] as const
export type Encoding = (typeof encodings)[number]

/** What an event concerns. */
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

/** A client of the hub's API, the sandbox's user, or nobody: the state did not change. */
export const eventCauses = ['api', 'trigger', 'synthetic'] as const
export type EventCause = (typeof eventCauses)[number]
