import { type Static, Type } from 'typebox'
import { LiteralOf, OneOf } from '../../contract/one-of.ts'
import { CdnRegions } from '../../contract/hub-buckets.ts'
import { RepoSettings } from '../../contract/repo-settings.ts'
import { ObjectId, Timestamp } from './common-entities.ts'
import {
  accessStatuses,
  anyRepoTypes,
  collectionItemTypes,
  discussionEventTypes,
  discussionStatuses,
  gatings,
  markKinds,
  repoRegions,
  spaceFlavors,
  storageTiers,
  visibilities,
  volumeTypes,
} from '../../contract/words/hub-words.ts'

/** 40 lower-case hex digits: a git object id (SHA-1). */
const Oid = Type.String({ pattern: '^[0-9a-f]{40}$' })

const AccessRequestSchema = Type.Object({
  userId: ObjectId,
  status: OneOf(accessStatuses),
  at: Timestamp,
  fields: Type.Optional(Type.Record(Type.String(), Type.String())),
  rejectionReason: Type.Optional(Type.String()),
  /** Name of the user who granted access without a request. */
  grantedBy: Type.Optional(Type.String()),
})
export type AccessRequest = Static<typeof AccessRequestSchema>

/** Description of a variable or secret of a Space. */
const spaceEntry = { description: Type.Optional(Type.String()), updatedAt: Timestamp }

/** A variable of a Space; a plain string is as old as its Space. */
const SpaceVariableSchema = Type.Union([
  Type.String(),
  Type.Object({ value: Type.String(), ...spaceEntry }),
])
export type SpaceVariable = Static<typeof SpaceVariableSchema>

/** A secret of a Space, without its value, which nothing here would read. */
const SpaceSecretSchema = Type.Object(spaceEntry)
export type SpaceSecret = Static<typeof SpaceSecretSchema>

/** Requested hardware and storage of a Space; absent members have their defaults. */
/** A volume of a Space. */
const SpaceVolumeSchema = Type.Object({
  type: OneOf(volumeTypes),
  source: Type.String(),
  mountPath: Type.String(),
  revision: Type.Optional(Type.String()),
  readOnly: Type.Optional(Type.Boolean()),
  path: Type.Optional(Type.String()),
})
export type SpaceVolume = Static<typeof SpaceVolumeSchema>

const SpaceMachineSchema = Type.Object({
  hardware: Type.Optional(OneOf(spaceFlavors)),
  storage: Type.Optional(OneOf(storageTiers)),
  /** Seconds without a visitor until the Space sleeps; -1 = never. */
  sleepTimeSeconds: Type.Optional(Type.Integer({ minimum: -1 })),
  paused: Type.Optional(Type.Boolean()),
  /** Last start or visit, if later than the last change of the repo. */
  activeAt: Type.Optional(Timestamp),
  devMode: Type.Optional(Type.Boolean()),
  volumes: Type.Optional(Type.Array(SpaceVolumeSchema)),
})
export type SpaceMachine = Static<typeof SpaceMachineSchema>

export const RepoSchema = Type.Object({
  id: ObjectId,
  type: OneOf(anyRepoTypes),
  /** `namespace/name` */
  name: Type.String(),
  /** Owner: a user or organization. */
  ownerId: ObjectId,
  visibility: OneOf(visibilities),
  gated: LiteralOf([false, ...gatings]),
  settings: Type.Optional(RepoSettings),
  disabled: Type.Optional(Type.Boolean()),
  creatorId: Type.Optional(ObjectId),
  /** App that created it: with `contribute-repos` an app only reaches its own repos. */
  creatorClientId: Type.Optional(Type.String()),
  resourceGroupId: Type.Optional(ObjectId),
  sdk: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  doi: Type.Optional(Type.String()),
  /** Storage region; absent = us. */
  region: Type.Optional(OneOf(repoRegions)),
  /** Content delivery network of a bucket. */
  cdnRegions: Type.Optional(CdnRegions),
  /** Public variables of a Space. */
  variables: Type.Optional(Type.Record(Type.String(), SpaceVariableSchema)),
  secrets: Type.Optional(Type.Record(Type.String(), SpaceSecretSchema)),
  machine: Type.Optional(SpaceMachineSchema),
  likes: Type.Number(),
  downloads: Type.Number(),
  /** Ids of commits or tag objects by full ref name (`refs/heads/main`, `refs/tags/v1`, `refs/pr/1`). */
  refs: Type.Record(Type.String(), Oid),
  /** Discussions and pull requests share one counter, from 1. */
  lastDiscussionNumber: Type.Number(),
  accessRequests: Type.Array(AccessRequestSchema),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Repo = Static<typeof RepoSchema>

/** Former name of a repo; `id` is `type/namespace/name` in lower case. */
export const RepoRedirectSchema = Type.Object({ id: Type.String(), repoId: ObjectId })
export type RepoRedirect = Static<typeof RepoRedirectSchema>

/** A Git LFS object that a repo can refer to, because it was uploaded or copied there. */
export const LfsFileSchema = Type.Object({
  /** `repoId/oid` */
  id: Type.String(),
  repoId: ObjectId,
  /** 64 lower-case hex digits: the SHA-256 of the content. */
  oid: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Size in bytes. */
  size: Type.Integer({ minimum: 0 }),
  /** Hash of the file of the real Hub whose stand-in it is. */
  standsFor: Type.Optional(Type.String()),
  pushedAt: Timestamp,
})
export type LfsFile = Static<typeof LfsFileSchema>

/** A file of a bucket. Its content is in the store of Git LFS, as chunks of Xet. */
export const BucketFileSchema = Type.Object({
  /** `repoId/path` */
  id: Type.String(),
  repoId: ObjectId,
  path: Type.String(),
  /** 64 lower-case hex digits: the SHA-256 of the content. */
  oid: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Hash of its chunks: 64 hex digits. */
  xetHash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Size in bytes. */
  size: Type.Integer({ minimum: 0 }),
  contentType: Type.Optional(Type.String()),
  /** Time of the last change on the disk of the uploader. */
  mtime: Type.Optional(Timestamp),
  uploadedAt: Timestamp,
})
export type BucketFile = Static<typeof BucketFileSchema>

/** Lock of a file in Git LFS. */
export const LfsLockSchema = Type.Object({
  id: ObjectId,
  repoId: ObjectId,
  path: Type.String(),
  /** Full name of the ref that it was locked for; absent = every ref. */
  ref: Type.Optional(Type.String()),
  ownerId: ObjectId,
  lockedAt: Timestamp,
})
export type LfsLock = Static<typeof LfsLockSchema>

export const DiscussionSchema = Type.Object({
  id: ObjectId,
  repoId: ObjectId,
  num: Type.Number(),
  title: Type.String(),
  status: OneOf(discussionStatuses),
  isPullRequest: Type.Boolean(),
  authorId: ObjectId,
  pinned: Type.Boolean(),
  /** Only for pull requests: target ref and merge commit. */
  base: Type.Optional(Type.String()),
  mergeCommitId: Type.Optional(Oid),
  /** Head of a pull request whose ref was deleted. */
  headCommitId: Type.Optional(Oid),
  createdAt: Timestamp,
})
export type Discussion = Static<typeof DiscussionSchema>

/** An entry of a discussion's timeline; the first is its opening comment. */
export const DiscussionEventSchema = Type.Object({
  id: ObjectId,
  discussionId: ObjectId,
  type: OneOf(discussionEventTypes),
  authorId: Type.Optional(ObjectId),
  createdAt: Timestamp,
  // comment
  content: Type.Optional(Type.String()),
  hidden: Type.Optional(Type.Boolean()),
  /** In the order in which they were first given. */
  reactions: Type.Optional(
    Type.Array(Type.Object({ reaction: Type.String(), userIds: Type.Array(ObjectId) })),
  ),
  editedAt: Type.Optional(Timestamp),
  /** Contents before each edit, oldest first. */
  history: Type.Optional(Type.Array(Type.Object({ content: Type.String(), at: Timestamp }))),
  // status-change
  status: Type.Optional(Type.String()),
  // title-change
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  // commit
  subject: Type.Optional(Type.String()),
  oid: Type.Optional(Oid),
})
export type DiscussionEvent = Static<typeof DiscussionEventSchema>

export const HubCollectionSchema = Type.Object({
  id: ObjectId,
  ownerId: ObjectId,
  title: Type.String(),
  description: Type.Optional(Type.String()),
  resourceGroupId: Type.Optional(ObjectId),
  private: Type.Boolean(),
  theme: Type.String(),
  /** Place among the collections of its owner, once one of them was moved. */
  position: Type.Optional(Type.Number()),
  items: Type.Array(
    Type.Object({
      id: ObjectId,
      type: OneOf(collectionItemTypes),
      /** Repo name, paper id or collection slug. */
      target: Type.String(),
      note: Type.Optional(Type.String()),
    }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type HubCollection = Static<typeof HubCollectionSchema>

/** A user's like of a repo, follow of a user or organization, or upvote of a collection. */
export const MarkSchema = Type.Object({
  /** `kind/userId/targetId` */
  id: Type.String(),
  kind: OneOf(markKinds),
  userId: ObjectId,
  targetId: ObjectId,
  createdAt: Timestamp,
})
export type Mark = Static<typeof MarkSchema>
