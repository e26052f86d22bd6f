import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { Deps } from '../../deps.ts'
import { canRead } from '../../access/rights.ts'
import type { Attempt, Delivery, Webhook } from '../../../store/entities/webhook-entities.ts'
import type { State } from '../../../store/state.ts'
import { type Happening, mayHappen } from '../delivery/delivery-life.ts'
import type { DeliveryProfile } from '../delivery/profiles.ts'
import { nextRetryDelay } from '../delivery/retry-schedule.ts'
import type { ConcludedAttempt } from '../delivery/send-attempt.ts'
import { afterFailure, withoutFailures } from '../delivery/suspension.ts'

/** Effects of a finished attempt. */
export interface Outcome {
  /** Change of the delivery; absent when this attempt no longer decides it. */
  happening?: Happening<'succeeded' | 'failed' | 'cancelled' | 'interrupted' | 'rescheduled'>
  /** Change of the webhook: its failure count, and whether it is suspended. */
  judge?: (webhook: Webhook) => Webhook
}

type OutcomeDeps = Pick<Deps, 'state' | 'clock' | 'ids'>

/**
 * Decides the effects of an automatic attempt: success, a retry, or failure.
 * @param delivery as it is now: it may have been cancelled, recovered or replayed during the attempt
 */
export function decideOutcome(
  deps: OutcomeDeps,
  profile: DeliveryProfile,
  delivery: Delivery,
  concluded: ConcludedAttempt,
): Outcome {
  const { attempt } = concluded
  const { error, at, status } = attempt
  if (error === undefined) {
    const isOpen = mayHappen(delivery, 'succeeded')
    return {
      ...(isOpen && { happening: { kind: 'succeeded', attempt } }),
      judge: withoutFailures,
    }
  }
  if (!mayHappen(delivery, 'failed')) return {}
  if (error.class === 'aborted_by_shutdown') return { happening: { kind: 'interrupted' } }
  const happening = retryOrEnd(deps, profile, delivery, concluded)
  const isLast = happening.kind === 'failed'
  const failure = { deliveryId: delivery.id, at, error, ...omitUndefined({ status }), isLast }
  const now = deps.clock.now()
  return { happening, judge: (webhook) => afterFailure(webhook, failure, profile, now) }
}

/** Decides whether a failed attempt is followed by another one, and when. */
function retryOrEnd(
  { state, clock, ids }: OutcomeDeps,
  profile: DeliveryProfile,
  delivery: Delivery,
  { attempt, retryAfterMs, isFinal }: ConcludedAttempt,
): Happening<'failed' | 'cancelled' | 'rescheduled'> {
  const { error, status } = attempt
  if (error === undefined || isFinal) return { kind: 'failed', attempt }
  const failed = { error: error.class, ...omitUndefined({ status, retryAfterMs }) }
  const random = ids.of('retry', delivery.webhookId).random()
  const wait = nextRetryDelay(profile, delivery.tries + 1, failed, random)
  if (wait === undefined) return { kind: 'failed', attempt }
  const because = whyNeverSent(state, delivery, state.webhooks.get(delivery.webhookId))
  if (because !== undefined) return { kind: 'cancelled', because }
  return { kind: 'rescheduled', nextRetryAt: clock.now() + wait }
}

/**
 * Decides the effect of a replay on its delivery.
 * @param before the delivery when the replay started
 * @param now the delivery when the replay ended
 * @returns `undefined` when the replay changes nothing: the automatic attempts decide
 */
export function decideReplayOutcome(
  before: Delivery,
  now: Delivery,
  attempt: Attempt,
): Happening<'succeeded' | 'failed' | 'replaySucceeded'> | undefined {
  if (now.state === 'cancelled' && before.state !== 'cancelled') return undefined
  // Edited replays and duplicates have no automatic attempts.
  const isOnlyAttempt = now.derivedFrom !== undefined && now.state === 'sending'
  if (isOnlyAttempt) {
    return { kind: attempt.error === undefined ? 'succeeded' : 'failed', attempt }
  }
  if (attempt.error !== undefined || !mayHappen(now, 'replaySucceeded')) return undefined
  return { kind: 'replaySucceeded', attempt }
}

/** Returns the reason, as a sentence, when a delivery can never be sent to its webhook. */
export function whyNeverSent(
  state: State,
  delivery: Delivery,
  webhook: Webhook | undefined,
): string | undefined {
  if (webhook === undefined) return 'the webhook was deleted'
  if (webhook.status === 'disabled') return 'the webhook is disabled'
  if (webhook.status === 'suspended-after-failure') return 'the webhook is suspended'
  const owner = state.users.get(webhook.ownerId)
  if (owner === undefined) return 'the owner of the webhook no longer exists'
  // Read access to a deleted repo was checked when the event was matched.
  const repo = state.repos.get(delivery.repoId)
  return repo === undefined || canRead({ state }, owner, repo)
    ? undefined
    : 'the owner of the webhook can no longer read the repository'
}
