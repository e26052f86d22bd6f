import type { Delivery } from '../../state/entities/webhooks.ts'

/** How deliveries of the log have fared; one that was not tried yet is in none of these. */
export interface DeliveryFigures {
  /** Tried, with a verdict: all of those below. */
  attempted: number
  succeeded: number
  /** Of those that succeeded, by their very first attempt. */
  succeededAtFirst: number
  /** No retry is left. */
  failed: number
  /** Failed so far, and to be tried again. */
  failing: number
  /** Given up after a try. */
  cancelled: number
}

/** Counts deliveries by what came of them. */
export function countDeliveries(deliveries: Iterable<Delivery>): DeliveryFigures {
  const counts = { succeeded: 0, succeededAtFirst: 0, failed: 0, failing: 0, cancelled: 0 }
  for (const { state, attempts, tries, succeededAtFirst } of deliveries) {
    if (state === 'succeeded') {
      counts.succeeded++
      if (succeededAtFirst === true) counts.succeededAtFirst++
    } else if (state === 'failed') counts.failed++
    else if (state === 'cancelled') {
      if (attempts > 0) counts.cancelled++
    } else if (tries > 0) counts.failing++
  }
  const { succeeded, failed, failing, cancelled } = counts
  return { attempted: succeeded + failed + failing + cancelled, ...counts }
}
