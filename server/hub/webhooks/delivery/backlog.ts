import type { Delivery } from '../../../store/entities/webhook-entities.ts'
import type { State } from '../../../store/state.ts'
import { openDeliveryStates } from '../../../contract/words/webhook-words.ts'

/** Counts of the deliveries that are not finished. */
export interface Backlog {
  size(): { deliveries: number; bytes: number }
  /** Returns the oldest open delivery without an attempt in flight. */
  oldest(): Delivery | undefined
  opened(delivery: Delivery): void
  finished(delivery: Delivery): void
  /** Counts the deliveries of the state again, after a start or a reset. */
  recount(): void
}

export function createBacklog(state: Pick<State, 'deliveries' | 'deliveryBodies'>): Backlog {
  let bytes = 0
  /** Ids of open deliveries, in the order in which they were opened. */
  const open = new Set<string>()
  const bytesOf = ({ id }: Delivery) => state.deliveryBodies.get(id)?.bytes ?? 0
  return {
    size() {
      const counts = openDeliveryStates.map((name) => state.deliveries.groupSize('state', name))
      return { deliveries: counts.reduce((sum, count) => sum + count, 0), bytes }
    },
    oldest() {
      for (const id of open) {
        const delivery = state.deliveries.get(id)
        if (delivery !== undefined && delivery.state !== 'sending') return delivery
      }
      return undefined
    },
    opened(delivery) {
      bytes += bytesOf(delivery)
      open.add(delivery.id)
    },
    finished(delivery) {
      bytes -= bytesOf(delivery)
      open.delete(delivery.id)
    },
    recount() {
      bytes = 0
      open.clear()
      for (const delivery of state.deliveries.values()) {
        if (delivery.finishedAt !== undefined) continue
        bytes += bytesOf(delivery)
        open.add(delivery.id)
      }
    },
  }
}
