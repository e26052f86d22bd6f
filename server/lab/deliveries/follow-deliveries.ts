import type { ServerDeps } from '../server-deps.ts'
import type { EventType } from '../../hub/events/bus.ts'
import { createChanges } from '../../web/line-streams.ts'
import {
  type DeliveryFilter,
  findDelivery,
  listDeliveryIds,
} from '../../hub/webhooks/views/activity.ts'

const facts = [
  'delivery.queued',
  'delivery.attempted',
  'delivery.succeeded',
  'delivery.waiting',
  'delivery.failed',
  'delivery.cancelled',
] as const satisfies EventType[]

type FollowQuery = Omit<DeliveryFilter, 'cursor' | 'limit'>

/**
 * Streams deliveries as lines of JSON: matching ones, oldest first, then each again when it changes. Changes that are faster than the reader are merged.
 */
export async function* followDeliveries(
  deps: Pick<ServerDeps, 'state' | 'bus' | 'engine'>,
  query: FollowQuery,
  hungUp: AbortSignal,
): AsyncGenerator<string> {
  const changes = createChanges(hungUp)
  const stops = facts.map((type) => deps.bus.on(type, ({ data }) => changes.note(data.deliveryId)))
  stops.push(
    deps.bus.on('delivery.skipped', ({ data }) => {
      for (const { id } of data.webhooks) changes.note(`${data.eventId}.${id}`)
    }),
  )
  function* lineOf(id: string): Generator<string> {
    const delivery = findDelivery(deps, id, query.view)
    if (delivery !== undefined && fits(deps, query, delivery)) {
      yield `${JSON.stringify(delivery)}\n`
    }
  }
  try {
    // All of them: a page would leave out the older ones. Each is sent as it is when it is read.
    for (const id of listDeliveryIds(deps, query).toReversed()) {
      changes.forget(id)
      yield* lineOf(id)
    }
    for (let ids = await changes.next(); ids !== undefined; ids = await changes.next()) {
      for (const id of ids) yield* lineOf(id)
    }
  } finally {
    for (const stop of stops) stop()
  }
}

/** The list's own rules decide, for the one delivery and the filters that are left. */
function fits(
  deps: Pick<ServerDeps, 'state' | 'engine'>,
  query: FollowQuery,
  { id, eventId }: { id: string; eventId: string },
): boolean {
  if (query.eventId !== undefined && query.eventId !== eventId) return false
  return listDeliveryIds(deps, { ...query, eventId }).includes(id)
}
