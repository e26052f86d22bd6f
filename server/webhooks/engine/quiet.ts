import type { Deps } from '../../events/deps.ts'
import type { Delivery } from '../../state/entities/webhooks.ts'
import type { Attempts } from '../delivery/attempts.ts'
import type { Publisher } from '../publish/publisher.ts'
import type { Runner } from './runner.ts'
import type { DeliveryState } from '../../contract/words/webhooks.ts'

/** What stands between now and quiet. */
export interface Outstanding {
  queued: number
  /** In flight: of some the state says otherwise, as they were cancelled meanwhile or are replayed. */
  sending: number
  waiting: number
  held: number
  /** The first of those that are queued, sent or wait, the oldest first. */
  deliveries: Pick<Delivery, 'id' | 'webhookId' | 'state' | 'nextRetryAt'>[]
}

/**
 * Whether nothing happens any more unless somebody does something, or the clock moves on.
 * @param waiting whether what waits for a retry is outstanding, too
 */
export function isQuiet(
  { state: { deliveries } }: Pick<Deps, 'state'>,
  attempts: Pick<Attempts, 'size'>,
  runner: Pick<Runner, 'blockedCount' | 'hasDue'>,
  publisher: Pick<Publisher, 'hasReleased'>,
  waiting: boolean,
): boolean {
  const queued = deliveries.groupSize('state', 'queued')
  return (
    attempts.size === 0 &&
    deliveries.groupSize('state', 'sending') === 0 &&
    (queued === 0 || queued === runner.blockedCount()) &&
    !runner.hasDue() &&
    !publisher.hasReleased() &&
    (!waiting || (queued === 0 && deliveries.groupSize('state', 'waiting') === 0))
  )
}

export function listOutstanding(
  { state: { deliveries } }: Pick<Deps, 'state'>,
  attempts: Pick<Attempts, 'deliveryIds'>,
  limit = 100,
): Outstanding {
  const inFlight = new Set(deliveries.group('state', 'sending'))
  for (const id of attempts.deliveryIds()) {
    const delivery = deliveries.get(id)
    if (delivery !== undefined) inFlight.add(delivery)
  }
  const open = (['queued', 'waiting'] satisfies DeliveryState[]).flatMap((name) =>
    deliveries.group('state', name).slice(0, limit),
  )
  const outstanding = [...new Set([...inFlight, ...open])]
  return {
    queued: deliveries.groupSize('state', 'queued'),
    sending: inFlight.size,
    waiting: deliveries.groupSize('state', 'waiting'),
    held: deliveries.groupSize('state', 'held'),
    deliveries: outstanding.toSorted((a, b) => a.seq - b.seq).slice(0, limit),
  }
}
