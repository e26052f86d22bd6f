import { Type, type Static } from 'typebox'
import { Time } from './control.ts'
import type { ClockReading } from './control-clock.ts'
import type { DeliveryError, DeliveryItem } from './control-deliveries.ts'
import type { FaultMatch } from './control-faults.ts'
import type {
  AccessStatus,
  AnyRepoType,
  EventAction,
  EventCause,
  EventScope,
  RepoType,
} from './words/hub-words.ts'
import type { AuditKind, AuditState } from './words/audit-words.ts'
import type { AccountKind } from './words/account-words.ts'
import type { AttemptSource, DeliveryState, SkipReason } from './words/webhook-words.ts'
import type { AdviceLevel } from './words/advice-words.ts'
import type { GrantName } from './words/oauth-words.ts'
import type { JobStage } from './words/job-words.ts'
import { text } from './plain-fields.ts'

/** A past fact. `data` depends on `type`, see {@link LiveData}. */
export const LiveEntry = Type.Object({
  seq: Type.Integer({ minimum: 1, description: 'Number from 1 in each run, without gaps' }),
  time: Time('Sandbox time'),
  type: text('Type, such as `token.issued`'),
  data: Type.Unknown({ description: 'Data; depends on the type; never a whole token or secret' }),
})

export const LiveMessage = Type.Object({
  cursor: text('Pass as `since` to continue after this message'),
  gap: Type.Optional(
    Type.Literal(true, {
      description:
        'Whether entries are missing because the cursor is too old or from before a restart or reset',
    }),
  ),
  entries: Type.Array(LiveEntry),
})

export const LiveQuery = Type.Object({
  since: Type.Optional(text('`cursor` of the last message seen')),
})
export type LiveQuery = Static<typeof LiveQuery>

/** Fields of every fact about a delivery. */
export interface DeliveryFact extends Pick<
  DeliveryItem,
  | 'webhookId'
  | 'eventId'
  | 'scope'
  | 'action'
  | 'repo'
  | 'repoType'
  | 'derivedFrom'
  | 'duplicate'
  | 'synthetic'
> {
  deliveryId: string
  /** Grows with each delivery and skipped event: the first part of a cursor. Absent in runs that an earlier version recorded. */
  number?: number
  state: DeliveryState
}

/** Fields of every fact about a fault rule, which may be deleted when the fact is read. */
interface FaultFact {
  faultId: string
  match: FaultMatch
}

interface BarrierFact {
  barrierId: string
  match: FaultMatch
  count: number
  held: number
}

/** Data of the facts in the live feed. */
export interface LiveData {
  'sandbox.started': { url: string }
  /** Reset to the fixtures, or restore of a snapshot. */
  'sandbox.reset': { erasedRequests: number; snapshot?: string }
  'clock.changed': ClockReading
  'request.completed': {
    id: string
    method: string
    path: string
    status: number
    durationMs: number
    clientId?: string
    userId?: string
    error?: string
    /** Whether the error is a normal step of the protocol, such as `authorization_pending`. */
    expected?: boolean
    detail?: string
    /** Sign-in it belongs to. */
    flowId?: string
    /** Whether an audit sent or provoked it. */
    audit?: true
  }
  /** A check has found a mistake that it had not found since the start or the last reset. */
  'advice.found': {
    findingId: string
    rule: string
    level: AdviceLevel
    clientId?: string
    webhookId?: string
  }
  'session.started': { userId: string; username: string }
  'session.ended': { userId: string }
  'authorization.granted': {
    userId: string
    clientId: string
    scopes: string[]
    organizationIds: string[]
  }
  'authorization.denied': { userId?: string; clientId: string; error: string; detail?: string }
  'consent.revoked': { userId: string; clientId: string }
  'token.issued': {
    tokenId: string
    userId: string
    clientId?: string
    grant: GrantName
    scopes: string[]
    expiresAt?: string
  }
  'token.refused': { clientId?: string; grant?: string; error: string; detail: string }
  'token.revoked': { tokenId: string; userId: string; clientId?: string; because: string }
  'device.requested': { clientId: string; userCode: string; expiresAt: string }
  'device.approved': { clientId: string; userCode: string; userId: string }
  'device.denied': { clientId: string; userCode: string; userId: string }
  /** A trusted publisher was created, changed or deleted. */
  'publisher.changed': { publisherId: string }
  'app.created': { clientId: string }
  'app.updated': { clientId: string; changed: string[] }
  'app.deleted': { clientId: string }
  'account.changed': { kind: AccountKind; id: string }
  /** A collection was created, changed, upvoted or deleted. */
  'collection.changed': { collectionId: string }
  /** An inference endpoint was created, changed, started, stopped or deleted. Its state also changes with time. */
  'endpoint.changed': { endpointId: string }
  /** A scheduled job was created, changed, run or deleted. */
  'schedule.changed': { scheduledJobId: string }
  'key.rotated': { kid: string }
  'fault.added': FaultFact
  /** A response was changed. `left` as in {@link ActiveFault}. */
  'fault.hit': FaultFact & { hits: number; left?: number }
  /** A match was skipped because of the rule's `skip`. */
  'fault.passed': FaultFact & { matches: number }
  'fault.removed': FaultFact
  'barrier.added': BarrierFact
  /** `held` includes the new request. */
  'barrier.held': BarrierFact & { requestId: string }
  /** The client disconnected. `held` excludes its request. */
  'barrier.left': BarrierFact & { requestId: string }
  /** `held` is the number of released requests. */
  'barrier.released': BarrierFact
  /** A Space frame was opened, changed or closed, or its app was visited in it. */
  'frame.changed': { frameId: string }
  'snapshot.kept': { name: string }
  'snapshot.deleted': { name: string }
  /** An audit of an app or a receiver started, went on or ended. */
  'audit.progress': {
    auditId: string
    kind: AuditKind
    state: AuditState
    clientId?: string
    webhookId?: string
    /** Module that is running. */
    module?: string
    /** What the user has to do. */
    waitsFor?: string
    /** Number of verdicts. */
    done: number
    /** Number of modules. */
    planned: number
  }
  'audit.recorded': { organizationId: string; auditId: string; type: string }
  'hub.event': {
    id: string
    scope: EventScope
    action: EventAction
    at: string
    actorId?: string
    cause: EventCause
    repo: { id: string; type: AnyRepoType; name: string; private: boolean; ownerId: string }
  }
  /** An access request of a gated repo. `status` is absent when it was withdrawn. */
  'access.changed': { userId: string; repo: string; repoType: RepoType; status?: AccessStatus }
  'webhook.created': { webhookId: string; ownerId: string }
  'webhook.updated': { webhookId: string; changed: string[] }
  'webhook.deleted': { webhookId: string }
  'webhook.suspended': { webhookId: string; reason: string }
  /** The awaited receiver took a delivery, and the undelivered ones were replayed. */
  'webhook.back': { webhookId: string; succeeded: number; failed: number }
  /** One fact for all webhooks that were skipped for an event. */
  'delivery.skipped': {
    eventId: string
    /** See {@link DeliveryFact}. */
    number?: number
    scope: string
    action: string
    repo: string
    repoType: string
    webhooks: readonly { id: string; reason: SkipReason }[]
  }
  'delivery.queued': DeliveryFact
  'delivery.attempted': DeliveryFact & {
    attempt: number
    source: AttemptSource
    status?: number
    error?: DeliveryError
    durationMs: number
    /** Job that it started. */
    jobId?: string
  }
  'delivery.succeeded': DeliveryFact & { attempt: number; status?: number; durationMs: number }
  'delivery.waiting': DeliveryFact & { attempt: number; nextRetryAt: string }
  'delivery.failed': DeliveryFact & { attempt: number; status?: number; error?: DeliveryError }
  'delivery.cancelled': DeliveryFact & { because: string }
  'job.created': { jobId: string; namespace: string }
  'job.updated': { jobId: string; namespace: string; stage: JobStage }
}

export type LiveType = keyof LiveData

/** Narrow it by `type`. */
export type LiveEntry = {
  [T in LiveType]: { seq: number; time: string; type: T; data: LiveData[T] }
}[LiveType]

export interface LiveMessage {
  cursor: string
  gap?: true
  entries: LiveEntry[]
}
