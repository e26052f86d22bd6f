import { inBackground, type Report } from '../../core/background.ts'
import type { RealTime } from '../../core/real-time.ts'
import type { Deps } from '../../events/deps.ts'
import type { Delivery } from '../../state/entities/webhooks.ts'
import type { DeliveryLog } from '../delivery/delivery-log.ts'
import type { Queues } from './queues.ts'
import { createRetryTimer, type DueRetry, type RetryTimer } from './retry-timer.ts'

/** Brings deliveries that wait back into the queues when their time has come. */
export interface Retries extends Pick<RetryTimer, 'hasDue' | 'clear' | 'close'> {
  /** A delivery that waits for its `nextRetryAt`. */
  await: (delivery: Delivery) => void
}

export interface RetriesOptions {
  log: Pick<DeliveryLog, 'move'>
  queues: Pick<Queues, 'addAgain' | 'block' | 'unblock'>
  realTime: Pick<RealTime, 'after'>
  report: Report
  /** Told of a delivery that the sandbox itself failed on. */
  giveUp: (deliveryId: string, message: string) => void
  /** Told when some are in the queues again. */
  onDue: () => void
}

/** Retries that are this late although nobody moved the clock were slept through by the machine. */
const sleptMs = 5000

export function createRetries(
  { state, clock, ids }: Pick<Deps, 'state' | 'clock' | 'ids'>,
  { log, queues, realTime, report, giveUp, onDue }: RetriesOptions,
): Retries {
  const timer = createRetryTimer(clock, realTime, resume)

  function awaitRetry(delivery: Delivery): void {
    const { id, nextRetryAt } = delivery
    if (nextRetryAt === undefined) return
    queues.block(delivery)
    timer.add({ deliveryId: id, at: nextRetryAt })
  }

  function resume(due: readonly DueRetry[], wasMoved: boolean): void {
    for (const retry of due) {
      const { deliveryId } = retry
      inBackground(
        report,
        `the retry of delivery ${deliveryId}`,
        () => resumeOne(retry, wasMoved),
        (message) => giveUp(deliveryId, message),
      )
    }
    onDue()
  }

  function resumeOne({ deliveryId, at }: DueRetry, wasMoved: boolean): void {
    const delivery = state.deliveries.get(deliveryId)
    if (delivery?.state !== 'waiting' || delivery.nextRetryAt !== at) return
    if (!wasMoved && clock.now() - at > sleptMs) {
      const nextRetryAt =
        clock.now() + Math.floor(ids.of('retry', delivery.webhookId).random() * sleptMs)
      awaitRetry(log.move(deliveryId, { kind: 'postponed', nextRetryAt }))
      return
    }
    log.move(deliveryId, { kind: 'due' })
    queues.unblock(delivery.webhookId, deliveryId)
    queues.addAgain(delivery)
  }

  return { ...timer, await: awaitRetry }
}
