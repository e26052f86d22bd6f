import type { ClockReading } from '../core/clock.ts'
import type { GrantName } from '../contract/words/oauth.ts'
import type { DeliveryState, SkipReason } from '../contract/words/webhooks.ts'
import type { DeliveryError } from '../contract/control-deliveries.ts'
import type { HubEvent } from './hub-event.ts'
import type { AccountKind } from '../contract/words/accounts.ts'

/** Every past fact of a sandbox. Data is JSON and carries no whole token and no secret. */
export interface SandboxEvents {
  'sandbox.started': { url: string }
  /** Back to the fixtures, or to a snapshot. */
  'sandbox.reset': { erasedRequests: number; snapshot?: string }
  'clock.changed': ClockReading
  'request.completed': {
    id: string
    method: string
    path: string
    status: number
    durationMs: number
    clientId?: string | undefined
    userId?: string | undefined
    error?: string | undefined
    /** Why it was refused: for the developer, never on the wire. */
    detail?: string | undefined
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
    expiresAt?: number
  }
  'token.refused': { clientId?: string; grant?: string; error: string; detail: string }
  'token.revoked': { tokenId: string; userId: string; clientId?: string; because: string }
  'device.requested': { clientId: string; userCode: string; expiresAt: number }
  'device.approved': { clientId: string; userCode: string; userId: string }
  'device.denied': { clientId: string; userCode: string; userId: string }
  'app.created': { clientId: string }
  'app.updated': { clientId: string; changed: string[] }
  'app.deleted': { clientId: string }
  'account.changed': { kind: AccountKind; id: string }
  'key.rotated': { kid: string }
  'fault.changed': { faultId: string }
  'audit.recorded': { organizationId: string; auditId: string; type: string }

  /** Something changed in a repo or discussion: what webhooks are about. */
  'hub.event': HubEvent

  'webhook.created': { webhookId: string; ownerId: string }
  'webhook.updated': { webhookId: string; changed: string[] }
  'webhook.deleted': { webhookId: string }
  'webhook.suspended': { webhookId: string; reason: string }
  /** One fact for an event, with all webhooks that it passed over. */
  'delivery.skipped': {
    eventId: string
    scope: string
    action: string
    repo: string
    repoType: string
    webhooks: readonly { id: string; reason: SkipReason }[]
  }
  'delivery.queued': DeliveryFact
  'delivery.attempted': DeliveryFact & {
    attempt: number
    source: string
    status?: number
    error?: DeliveryError
    durationMs: number
  }
  'delivery.succeeded': DeliveryFact & { attempt: number; status?: number; durationMs: number }
  'delivery.waiting': DeliveryFact & { attempt: number; nextRetryAt: number }
  'delivery.failed': DeliveryFact & { attempt: number; status?: number; error?: DeliveryError }
  'delivery.cancelled': DeliveryFact & { because: string }
  'job.created': { jobId: string; namespace: string }
  'job.updated': { jobId: string; namespace: string; stage: string }
}

export interface DeliveryFact {
  deliveryId: string
  webhookId: string
  eventId: string
  scope: string
  action: string
  repo: string
  repoType: string
  state: DeliveryState
  derivedFrom?: string
  synthetic?: boolean
}
