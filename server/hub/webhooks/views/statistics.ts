import type { DeliveryStatistics } from '../../../contract/control-deliveries.ts'
import {
  type CountedDelivery,
  countResults,
  type DecidedDelivery,
  type DeliveryCounts,
  shareOf,
} from '../../../contract/delivery-result.ts'
import type { Delivery } from '../../../store/entities/webhook-entities.ts'

/** Returns the parts of a stored delivery that decide its result. An attempt of one that is sending is under way. */
export function decidedOf({
  state,
  recorded,
  attempts,
}: Pick<Delivery, 'state' | 'recorded' | 'attempts'>): DecidedDelivery {
  return { state, recorded, hasEnded: attempts > (state === 'sending' ? 1 : 0) }
}

/** Counts stored deliveries by result. */
export function countDeliveries(deliveries: Iterable<Delivery>): DeliveryCounts {
  return countResults(counted(deliveries))
}

/** Counts deliveries by result, with their shares. */
export function describeStatistics(deliveries: Iterable<Delivery>): DeliveryStatistics {
  return withShares(countDeliveries(deliveries))
}

/** Adds the shares of the attempted deliveries. */
export function withShares(counts: DeliveryCounts): DeliveryStatistics {
  return {
    ...counts,
    successRate: shareOf(counts.succeeded, counts),
    firstAttemptRate: shareOf(counts.succeededAtFirst, counts),
  }
}

function* counted(deliveries: Iterable<Delivery>): Iterable<CountedDelivery> {
  for (const delivery of deliveries) {
    yield { ...decidedOf(delivery), atFirst: delivery.succeededAtFirst === true }
  }
}
