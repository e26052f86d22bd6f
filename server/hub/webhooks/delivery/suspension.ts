import type { Deps } from '../../deps.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { formatDuration } from '../../../core/duration.ts'
import type { Webhook } from '../../../store/entities/webhook-entities.ts'
import type { DeliveryError } from '../../../contract/control-deliveries.ts'
import type { DeliveryErrorClass } from '../../../contract/words/webhook-words.ts'
import type { DeliveryProfile } from './profiles.ts'

/** A failed automatic attempt. Replays do not count. */
export interface AttemptFailure {
  deliveryId: string
  /** Start of the attempt, on the sandbox clock. */
  at: number
  error: DeliveryError
  status?: number
  /** Whether the delivery has failed, because no retry is left. */
  isLast: boolean
}

/** Errors caused by the sandbox itself, not by the receiver. */
const ownFaults: ReadonlySet<DeliveryErrorClass> = new Set(['sender_fault', 'aborted_by_shutdown'])
/** Errors that are shown, but that the receiver cannot fix. */
const notCounted: ReadonlySet<DeliveryErrorClass> = new Set(['blocked_target', 'job_failed'])
const responseErrors: ReadonlySet<DeliveryErrorClass> = new Set(['http_status', 'redirect'])

/**
 * Updates the failure record of a webhook after a failed attempt, and suspends it when the profile says so. A delivery
 * counts once, however many attempts it took; a success resets the count.
 * @returns the same object when nothing changed
 */
export function afterFailure(
  webhook: Webhook,
  failure: AttemptFailure,
  profile: DeliveryProfile,
  now: number,
): Webhook {
  const { deliveryId, at, error, status, isLast } = failure
  if (ownFaults.has(error.class)) return webhook
  const failed: Webhook = {
    ...webhook,
    failedAttempts: (webhook.failedAttempts ?? 0) + 1,
    firstFailureAt: webhook.firstFailureAt ?? at,
    failingSince: failingSince(webhook) ?? at,
    lastFailure: { deliveryId, at, error, ...omitUndefined({ status }) },
  }
  if (notCounted.has(error.class) || webhook.status !== 'enabled') return failed
  if (profile.disableOnGone && status === 410) return { ...failed, status: 'disabled' }
  if (responseErrors.has(error.class) && !profile.countsStatus) return failed
  const counted = isLast
    ? { ...failed, consecutiveFailures: failed.consecutiveFailures + 1 }
    : failed
  const because = reasonToSuspend(counted, profile, now)
  if (because === undefined) return counted
  return {
    ...counted,
    status: 'suspended-after-failure',
    suspendedAt: now,
    suspendedBecause: `${because}; last error: ${error.message}`,
  }
}

/**
 * Clears the failure record of a webhook: after a success, and when its owner enables it.
 * @returns the same object when there is nothing to clear
 */
export function withoutFailures(webhook: Webhook): Webhook {
  if (webhook.consecutiveFailures === 0 && webhook.firstFailureAt === undefined) return webhook
  const { firstFailureAt: _firstFailureAt, ...rest } = withoutShownFailures(webhook)
  return { ...rest, consecutiveFailures: 0 }
}

/**
 * Clears the failures that are shown, after a replay that succeeded: the receiver works again. Suspension goes on counting,
 * because the hub does not count replays.
 * @returns the same object when there is nothing to clear
 */
export function withoutShownFailures(webhook: Webhook): Webhook {
  if (webhook.lastFailure === undefined) return webhook
  const {
    failingSince: _failingSince,
    failedAttempts: _failedAttempts,
    lastFailure: _lastFailure,
    ...rest
  } = webhook
  return rest
}

/** Start of the failures that are shown; `undefined` if there are none. */
export function failingSince(webhook: Webhook): number | undefined {
  const { lastFailure, firstFailureAt } = webhook
  return lastFailure === undefined ? undefined : (webhook.failingSince ?? firstFailureAt)
}

/** Stores the change of a webhook after an attempt, and emits its new status. */
export function judgeWebhook(
  { state, bus }: Pick<Deps, 'state' | 'bus'>,
  webhookId: string,
  judge: (webhook: Webhook) => Webhook,
): void {
  const before = state.webhooks.get(webhookId)
  if (before === undefined) return
  const after = judge(before)
  if (after === before) return
  state.webhooks.put(after)
  if (after.status === before.status) return
  if (after.status === 'suspended-after-failure') {
    bus.emit('webhook.suspended', { webhookId, reason: after.suspendedBecause ?? '' })
  } else bus.emit('webhook.updated', { webhookId, changed: ['status'] })
}

function reasonToSuspend(
  { consecutiveFailures, firstFailureAt }: Webhook,
  { suspension }: DeliveryProfile,
  now: number,
): string | undefined {
  if (suspension.after === 'failures' && consecutiveFailures >= suspension.count) {
    return `${consecutiveFailures} deliveries failed in a row`
  }
  if (suspension.after === 'time' && now - (firstFailureAt ?? now) >= suspension.ms) {
    return `every attempt failed for ${formatDuration(suspension.ms)}`
  }
  return undefined
}
