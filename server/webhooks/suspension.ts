import { formatDuration } from '../core/duration.ts'
import type { DeliveryErrorClass, Webhook } from '../state/entities/webhooks.ts'
import type { DeliveryProfile } from './profiles.ts'

/** How a delivery of the automatic kind ended. Replays and edited replays are not told here. */
export type DeliveryVerdict =
  | { outcome: 'succeeded' }
  | { outcome: 'failed'; error: DeliveryErrorClass; status?: number; message: string }

/** These say something about the sandbox or about a job, not about the receiver. */
const notCounted: ReadonlySet<DeliveryErrorClass> = new Set([
  'sender_fault',
  'aborted_by_shutdown',
  'blocked_target',
  'job_failed',
])

/**
 * The webhook after one of its deliveries has ended: its failure count, and what follows from it.
 * A delivery counts once, however many attempts it took; one success starts the count again.
 * @returns the same object when nothing changed
 */
export function afterDelivery(
  webhook: Webhook,
  verdict: DeliveryVerdict,
  profile: DeliveryProfile,
  now: number,
): Webhook {
  if (verdict.outcome === 'succeeded') return withoutFailures(webhook)
  if (notCounted.has(verdict.error) || webhook.status !== 'enabled') return webhook
  const failed: Webhook = {
    ...webhook,
    consecutiveFailures: webhook.consecutiveFailures + 1,
    firstFailureAt: webhook.firstFailureAt ?? now,
  }
  if (profile.disableOnGone && verdict.status === 410) {
    return { ...failed, status: 'disabled' }
  }
  const because = reasonToSuspend(failed, profile, now)
  if (because === undefined) return failed
  return {
    ...failed,
    status: 'suspended-after-failure',
    suspendedAt: now,
    suspendedBecause: `${because}; the last one: ${verdict.message}`,
  }
}

/** The webhook with a clean record: after a success, and when its owner enables it. */
export function withoutFailures(webhook: Webhook): Webhook {
  if (webhook.consecutiveFailures === 0 && webhook.firstFailureAt === undefined) return webhook
  const { firstFailureAt: _firstFailureAt, ...rest } = webhook
  return { ...rest, consecutiveFailures: 0 }
}

function reasonToSuspend(
  webhook: Webhook,
  { suspension }: DeliveryProfile,
  now: number,
): string | undefined {
  if (suspension.after === 'failures' && webhook.consecutiveFailures >= suspension.count) {
    return `${webhook.consecutiveFailures} deliveries failed in a row`
  }
  const { firstFailureAt = now } = webhook
  if (suspension.after === 'time' && now - firstFailureAt >= suspension.ms) {
    return `every delivery failed for ${formatDuration(suspension.ms)}`
  }
  return undefined
}
