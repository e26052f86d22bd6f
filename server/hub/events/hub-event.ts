import type {
  AnyRepoType,
  DiscussionStatus,
  EventAction,
  EventCause,
  EventScope,
} from '../../contract/words/hub-words.ts'

/** A ref that was created (`oldSha` null), moved, or deleted (`newSha` null). */
export interface UpdatedRef {
  ref: string
  oldSha: string | null
  newSha: string | null
}

/** File of a bucket that was added, overwritten or deleted. */
export type UpdatedFile =
  | { path: string; action: 'add'; xetHash: string; size: number }
  | { path: string; action: 'delete' }

/**
 * A change at the time it happened; a later rename or deletion does not alter it. The payload (version 3) of each
 * webhook is built from it.
 */
export interface HubEvent {
  id: string
  scope: EventScope
  action: EventAction
  /** Milliseconds since 1970 on the sandbox clock. */
  at: number
  /** User that made the change; absent for the hub itself. */
  actorId?: string
  cause: EventCause
  repo: {
    id: string
    type: AnyRepoType
    name: string
    private: boolean
    ownerId: string
    /** Resource group; members outside it cannot see the repo. */
    resourceGroupId?: string
    headSha?: string
    subdomain?: string
  }
  updatedRefs?: UpdatedRef[]
  /** Files of a bucket, the first 10,000. */
  updatedFiles?: UpdatedFile[]
  updatedFilesTruncated?: true
  updatedConfig?: { private?: boolean }
  movedTo?: { name: string; ownerId: string }
  discussion?: {
    id: string
    num: number
    title: string
    status: DiscussionStatus
    isPullRequest: boolean
    authorId: string
    base?: string
    mergeCommitId?: string
  }
  comment?: { id: string; authorId: string; content?: string; hidden: boolean }
}
