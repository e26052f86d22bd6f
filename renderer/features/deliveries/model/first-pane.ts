import type { AttemptItem, DeliveryItem } from '../../../../server/contract/control-deliveries.ts'
import type { DetailPane } from '../../../shared/detail-panes.ts'

/** Latest attempt with a result: one in flight has none to show. Without one, the latest. */
export function shownAttempt({
  attempts,
}: Pick<DeliveryItem, 'attempts'>): AttemptItem | undefined {
  return attempts.findLast(({ outcome }) => outcome !== undefined) ?? attempts.at(-1)
}

/** Part that an opened delivery shows first: of one that fails, what the receiver said. */
export function firstPane(delivery: Pick<DeliveryItem, 'state' | 'attempts'>): DetailPane {
  const isSettled = delivery.state === 'succeeded' || delivery.state === 'skipped'
  return !isSettled && shownAttempt(delivery)?.error !== undefined ? 'response' : 'summary'
}
