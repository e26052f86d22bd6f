import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../../events/deps.ts'
import type { Delivery, Webhook } from '../../state/entities/webhooks.ts'
import type { AttemptSource } from '../../contract/words/webhooks.ts'
import type { DeliveryError } from '../../contract/control-deliveries.ts'
import type { Attempts, ConcludedAttempt } from '../delivery/attempts.ts'
import type { Cancelling } from './cancelling.ts'
import { type Happening, mayHappen } from '../delivery/delivery-life.ts'
import type { DeliveryLog } from '../delivery/delivery-log.ts'
import { judgeWebhook } from '../delivery/judge-webhook.ts'
import { whyNeverSent } from '../delivery/may-be-sent.ts'
import type { DeliveryProfile } from '../delivery/profiles.ts'
import type { Queues } from './queues.ts'
import type { Retention } from '../delivery/retention.ts'
import type { Retries } from './retries.ts'
import { nextRetryDelay } from '../delivery/schedule.ts'
import { afterFailure, withoutFailures } from '../delivery/suspension.ts'
import type { Turns } from './turns.ts'

/** A delivery's own course: its attempts, one after the other, to a verdict. Replays go beside it. */
export interface Course {
  /** An earlier run may have sent it already: its next attempt says so. */
  markRecovered(deliveryId: string): void
  /**
   * Takes a delivery whose turn it is through its next attempt.
   * @returns settled when the outcome is stored; `undefined` when there is nothing to send
   */
  start(webhookId: string, deliveryId: string): Promise<void> | undefined
  clear(): void
}

export interface CourseOptions {
  log: Pick<DeliveryLog, 'move'>
  attempts: Pick<Attempts, 'start'>
  turns: Turns
  queues: Pick<Queues, 'unblock'>
  retries: Pick<Retries, 'await'>
  retention: Pick<Retention, 'enforce'>
  profile: DeliveryProfile
  isHeld: (webhook: Webhook) => boolean
  cancel: Cancelling['cancel']
  /** Told when a turn that was missed can be taken. */
  onMissed: (delivery: Delivery) => void
  settled: () => Promise<void>
}

type CourseDeps = Pick<Deps, 'state' | 'clock' | 'bus' | 'ids'>

export function createCourse(deps: CourseDeps, options: CourseOptions): Course {
  const { state } = deps
  const { log, attempts, turns, retention } = options
  const recovered = new Set<string>()

  function sourceOf({ id, tries }: Delivery): AttemptSource {
    if (recovered.has(id)) return 'recovered'
    return tries === 0 ? 'auto' : 'retry'
  }

  /** Looks at the webhook as it is now; what may not be sent is put where it belongs. */
  function mayBeSent(delivery: Delivery, webhook: Webhook | undefined): webhook is Webhook {
    const because = whyNeverSent(state, delivery, webhook)
    if (because !== undefined) options.cancel(delivery, because)
    else if (webhook !== undefined && options.isHeld(webhook)) {
      log.move(delivery.id, { kind: 'held' })
    } else return true
    return false
  }

  async function run(delivery: Delivery, webhook: Webhook, source: AttemptSource): Promise<void> {
    const attempt = async () => {
      const concluded = await attempts.start(delivery, webhook, source)
      const present = state.deliveries.get(delivery.id)
      if (concluded !== undefined && present !== undefined) {
        conclude(deps, options, present, concluded)
      }
    }
    await turns.during(delivery.id, attempt, () => options.onMissed(delivery))
    retention.enforce()
    await options.settled()
  }

  return {
    markRecovered: (deliveryId) => void recovered.add(deliveryId),
    start(webhookId, deliveryId) {
      const delivery = state.deliveries.get(deliveryId)
      const webhook = state.webhooks.get(webhookId)
      if (delivery?.state !== 'queued') return undefined
      const source = sourceOf(delivery)
      if (!mayBeSent(delivery, webhook) || !turns.take(deliveryId)) return undefined
      recovered.delete(deliveryId)
      return run(delivery, webhook, source)
    },
    clear: () => recovered.clear(),
  }
}

/** What an attempt came to for its delivery, and for the webhook. */
function conclude(
  deps: CourseDeps,
  options: CourseOptions,
  delivery: Delivery,
  concluded: ConcludedAttempt,
): void {
  const { log, queues } = options
  const { attempt } = concluded
  const { error } = attempt
  if (error !== undefined) concludeFailure(deps, options, delivery, concluded, error)
  else {
    if (mayHappen(delivery, 'succeeded')) log.move(delivery.id, { kind: 'succeeded', attempt })
    queues.unblock(delivery.webhookId, delivery.id)
    judgeWebhook(deps, delivery.webhookId, withoutFailures)
  }
}

function concludeFailure(
  deps: CourseDeps,
  options: CourseOptions,
  delivery: Delivery,
  concluded: ConcludedAttempt,
  error: DeliveryError,
): void {
  const { log, queues, retries, profile } = options
  const { id, webhookId } = delivery
  // Cancelled, taken up again, or a replay got through meanwhile: this attempt no longer decides.
  if (!mayHappen(delivery, 'failed')) return
  const what = verdictOnFailure(deps, profile, delivery, concluded, error)
  const moved = log.move(id, what)
  if (what.kind === 'interrupted') return
  if (what.kind === 'rescheduled') retries.await(moved)
  else queues.unblock(webhookId, id)
  const { at, status } = concluded.attempt
  const isLast = what.kind === 'failed'
  const failure = { deliveryId: id, at, error, ...omitUndefined({ status }), isLast }
  const now = deps.clock.now()
  judgeWebhook(deps, webhookId, (webhook) => afterFailure(webhook, failure, profile, now))
}

/** Whether a failed attempt is followed by another one, and when. */
function verdictOnFailure(
  { state, clock, ids }: CourseDeps,
  profile: DeliveryProfile,
  delivery: Delivery,
  { attempt, retryAfterMs, isFinal }: ConcludedAttempt,
  error: DeliveryError,
): Happening<'interrupted' | 'failed' | 'cancelled' | 'rescheduled'> {
  if (error.class === 'aborted_by_shutdown') return { kind: 'interrupted' }
  const failed = { error: error.class, ...omitUndefined({ status: attempt.status, retryAfterMs }) }
  const wait = isFinal
    ? undefined
    : nextRetryDelay(
        profile,
        delivery.tries + 1,
        failed,
        ids.of('retry', delivery.webhookId).random(),
      )
  if (wait === undefined) return { kind: 'failed', attempt }
  const because = whyNeverSent(state, delivery, state.webhooks.get(delivery.webhookId))
  if (because !== undefined) return { kind: 'cancelled', because }
  return { kind: 'rescheduled', nextRetryAt: clock.now() + wait }
}
