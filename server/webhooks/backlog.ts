import type { Delivery } from '../state/entities/webhooks.ts'
import type { State } from '../state/state.ts'
import { openDeliveryStates } from '../contract/words/webhooks.ts'

/** What is not finished yet, counted as it changes. */
export interface Backlog {
  size(): { deliveries: number; bytes: number }
  opened(delivery: Delivery): void
  finished(delivery: Delivery): void
  /** Counts what the state holds, after a start or a reset. */
  recount(): void
}

export function createBacklog(state: Pick<State, 'deliveries' | 'deliveryBodies'>): Backlog {
  let bytes = 0
  const bytesOf = ({ id }: Delivery) => state.deliveryBodies.get(id)?.bytes ?? 0
  return {
    size() {
      const counts = openDeliveryStates.map((name) => state.deliveries.groupSize('state', name))
      return { deliveries: counts.reduce((sum, count) => sum + count, 0), bytes }
    },
    opened(delivery) {
      bytes += bytesOf(delivery)
    },
    finished(delivery) {
      bytes -= bytesOf(delivery)
    },
    recount() {
      bytes = 0
      for (const delivery of state.deliveries.values()) {
        if (delivery.finishedAt === undefined) bytes += bytesOf(delivery)
      }
    },
  }
}
