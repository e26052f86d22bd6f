import { inBackground, type Report } from '../../../core/background.ts'
import type { Attempt, Delivery } from '../../../store/entities/webhook-entities.ts'
import type { State } from '../../../store/state.ts'
import type { AttemptLog } from '../delivery/attempt-log.ts'
import type { DeliveryLog } from '../delivery/delivery-log.ts'
import type { Dispatcher } from './dispatcher.ts'

type RecoveryState = Pick<State, 'attempts' | 'deliveries' | 'webhooks'>

/**
 * Resumes the open deliveries of an earlier run, in the order of the events. An attempt that was in flight gets an
 * unknown outcome, neither success nor failure, and its delivery is sent again. Edited replays and duplicates are
 * cancelled instead. Held deliveries stay held.
 * @param into `places`: number of concurrent attempts of a webhook that is not ordered
 */
export function resumeOpen(
  state: RecoveryState,
  {
    log,
    attemptLog,
    dispatcher,
    places,
    report,
  }: {
    log: DeliveryLog
    attemptLog: AttemptLog
    dispatcher: Pick<Dispatcher, 'add' | 'awaitRetry' | 'giveUp'>
    places: number
    report: Report
  },
): void {
  for (const attempt of state.attempts.values()) {
    if (attempt.outcome !== undefined) continue
    inBackground(report, `closing attempt ${attempt.id}`, () => attemptLog.closeAsUnknown(attempt))
  }
  const sent = findSent(state, places)
  for (const delivery of state.deliveries.values()) {
    if (delivery.finishedAt !== undefined || delivery.state === 'held') continue
    inBackground(
      report,
      `resuming delivery ${delivery.id}`,
      () => resumeOne(delivery),
      (message) => dispatcher.giveUp(delivery.id, message),
    )
  }

  function resumeOne(delivery: Delivery): void {
    if (delivery.derivedFrom !== undefined) {
      const because = 'the sandbox was stopped during this replay; replays are not repeated'
      log.move(delivery.id, { kind: 'cancelled', because })
    } else if (delivery.state === 'waiting') dispatcher.awaitRetry(delivery)
    else {
      const isLost = delivery.state === 'sending'
      const queued = isLost ? log.move(delivery.id, { kind: 'interrupted' }) : delivery
      dispatcher.add(queued, sent.has(delivery.id))
    }
  }
}

/**
 * Returns the deliveries that an earlier run may already have sent: those whose last attempt has no outcome. A crash can
 * also lose the record of an attempt, so the oldest queued deliveries count too, up to the concurrency of their webhook.
 * An ordered webhook sends nothing behind a delivery that waits for a retry.
 */
function findSent(
  { attempts, deliveries, webhooks }: RecoveryState,
  places: number,
): ReadonlySet<string> {
  const sent = new Set<string>()
  const taken = new Map<string, number>()
  const mark = ({ id, webhookId }: Delivery) => {
    sent.add(id)
    taken.set(webhookId, (taken.get(webhookId) ?? 0) + 1)
  }
  const open = [...deliveries.group('state', 'sending'), ...deliveries.group('state', 'queued')]
  const isCertain = (delivery: Delivery) =>
    delivery.state === 'sending' || wasBrokenOff(attempts.group('delivery', delivery.id))
  for (const delivery of open) if (isCertain(delivery)) mark(delivery)
  const waiting = new Map<string, number>()
  for (const { webhookId, seq } of deliveries.group('state', 'waiting')) {
    waiting.set(webhookId, Math.min(seq, waiting.get(webhookId) ?? seq))
  }
  const hadPlace = ({ webhookId, seq }: Delivery) => {
    const isOrdered = webhooks.get(webhookId)?.order === 'ordered'
    if (isOrdered && (waiting.get(webhookId) ?? seq) < seq) return false
    return (taken.get(webhookId) ?? 0) < (isOrdered ? 1 : places)
  }
  for (const delivery of open) if (!sent.has(delivery.id) && hadPlace(delivery)) mark(delivery)
  return sent
}

function wasBrokenOff(attempts: readonly Attempt[]): boolean {
  const last = attempts.findLast(({ source }) => source !== 'replay')
  return last?.outcome === 'unknown' || last?.error?.class === 'aborted_by_shutdown'
}
