import { inBackground, type Report } from '../../core/background.ts'
import type { RealTime } from '../../core/real-time.ts'
import type { Deps } from '../../events/deps.ts'
import type { Delivery } from '../../state/entities/webhooks.ts'
import type { DeliveryLog } from '../delivery/delivery-log.ts'
import type { Pump } from './pump.ts'
import type { Queues } from './queues.ts'
import type { Retention } from '../delivery/retention.ts'

/** Ends deliveries that are not to be sent. */
export interface Cancelling {
  /** An ordered line that it held up goes on. */
  cancel: (delivery: Delivery, because: string) => Delivery
  /** Ends a delivery that the sandbox itself failed on, so that no start finds it again. */
  giveUp: (deliveryId: string, message: string) => void
  /** Cancels whatever of a webhook is not under way, in portions. */
  cancelOpen(webhookId: string, because: string): void
}

export interface CancellingOptions {
  log: Pick<DeliveryLog, 'move'>
  queues: Pick<Queues, 'unblock'>
  pump: Pick<Pump, 'run'>
  retention: Pick<Retention, 'enforce'>
  realTime: Pick<RealTime, 'soon'>
  report: Report
  onProgress: () => void
}

const portion = 200

export function createCancelling(
  { state }: Pick<Deps, 'state'>,
  { log, queues, pump, retention, realTime, report, onProgress }: CancellingOptions,
): Cancelling {
  function cancel({ id, webhookId }: Delivery, because: string): Delivery {
    const cancelled = log.move(id, { kind: 'cancelled', because })
    queues.unblock(webhookId, id)
    return cancelled
  }

  function cancelSome(deliveryIds: readonly string[], because: string): void {
    for (const id of deliveryIds.slice(0, portion)) {
      const delivery = state.deliveries.get(id)
      if (delivery === undefined || delivery.finishedAt !== undefined) continue
      if (delivery.state !== 'sending') cancel(delivery, because)
    }
    retention.enforce()
    const rest = deliveryIds.slice(portion)
    if (rest.length > 0) {
      realTime.soon(() => {
        inBackground(report, 'cancelling deliveries', () => cancelSome(rest, because))
      })
    }
    pump.run()
    onProgress()
  }

  return {
    cancel,
    giveUp(deliveryId, message) {
      const delivery = state.deliveries.get(deliveryId)
      if (delivery === undefined || delivery.finishedAt !== undefined) return
      cancel(delivery, `the sandbox failed on it: ${message}`)
    },
    cancelOpen(webhookId, because) {
      const ids = state.deliveries.group('open', webhookId).map(({ id }) => id)
      cancelSome(ids, because)
    },
  }
}
