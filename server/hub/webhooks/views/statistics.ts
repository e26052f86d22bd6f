import type { Delivery } from '../../../store/entities/webhook-entities.ts'

/** Numbers of deliveries by result, without those that have no attempt or whose job was only recorded. */
export interface DeliveryFigures {
  /** Sum of the numbers below. */
  attempted: number
  succeeded: number
  /** Succeeded at the first attempt. */
  succeededAtFirst: number
  /** Failed without a retry left. */
  failed: number
  /** Failed so far, with a retry planned. */
  failing: number
  /** Cancelled after an attempt. */
  cancelled: number
}

/** Counts deliveries by their result. */
export function countDeliveries(deliveries: Iterable<Delivery>): DeliveryFigures {
  const counts = { succeeded: 0, succeededAtFirst: 0, failed: 0, failing: 0, cancelled: 0 }
  for (const delivery of deliveries) {
    const { state, attempts, succeededAtFirst, recorded } = delivery
    if (recorded === true) continue
    if (state === 'succeeded') {
      counts.succeeded++
      if (succeededAtFirst === true) counts.succeededAtFirst++
    } else if (state === 'failed') counts.failed++
    else if (state === 'cancelled') {
      if (attempts > 0) counts.cancelled++
    } else if (hasFailedSoFar(delivery)) counts.failing++
  }
  const { succeeded, failed, failing, cancelled } = counts
  return { attempted: succeeded + failed + failing + cancelled, ...counts }
}

/**
 * Checks whether an attempt of an open delivery has failed. That of a replay uses up no step of the schedule: it counts
 * while the delivery waits, such as for its webhook to be released.
 */
export function hasFailedSoFar({ state, tries, attempts }: Delivery): boolean {
  return tries > 0 || (state !== 'sending' && attempts > 0)
}
