import type {
  DiscussionStatus,
  EventAction,
  EventCause,
  EventScope,
  RepoType,
} from '../contract/words/hub.ts'

/** A ref that was made (`oldSha` null), moved, or removed (`newSha` null). */
export interface UpdatedRef {
  ref: string
  oldSha: string | null
  newSha: string | null
}

/**
 * One change, as it was when it happened: a later rename or deletion does not alter it.
 * The webhook payload is made from it (version 3), once for each webhook.
 */
export interface HubEvent {
  id: string
  scope: EventScope
  action: EventAction
  /** Milliseconds since 1970 on the sandbox clock. */
  at: number
  /** Who did it; absent for the hub itself. */
  actorId?: string
  cause: EventCause
  repo: {
    id: string
    type: RepoType
    name: string
    private: boolean
    ownerId: string
    /** A repo inside a group is hidden from members outside it. */
    resourceGroupId?: string
    headSha?: string
    subdomain?: string
  }
  updatedRefs?: UpdatedRef[]
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
