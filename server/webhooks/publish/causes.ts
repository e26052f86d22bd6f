import { mostRounds } from '../../contract/words/webhooks.ts'
import type { Deps } from '../../events/deps.ts'
import type { HubEvent } from '../../events/hub-event.ts'
import type { Delivery } from '../../state/entities/webhooks.ts'

type CauseDeps = Pick<Deps, 'state'>
export type DeliveryCause = NonNullable<Delivery['causedBy']>

/** Part of a chain that is looked at and shown, and number of deliveries that may still be unanswered. */
const longestChain = 100

/**
 * Finds the earlier delivery that certainly caused an event: the one whose job has the token of the call, or the one that
 * a receiver got which is declared to act as the user of the event. Nothing is guessed from times or addresses; where
 * several deliveries are possible causes, one that is no round of a loop is preferred.
 * @param jobDeliveryId delivery whose job has the token of the call
 */
export function findCause(
  { state }: CauseDeps,
  { actorId }: Pick<HubEvent, 'actorId'>,
  jobDeliveryId: string | undefined,
): DeliveryCause | undefined {
  if (jobDeliveryId !== undefined && state.deliveries.has(jobDeliveryId)) {
    return { deliveryId: jobDeliveryId, by: 'job-token' }
  }
  if (actorId === undefined) return undefined
  const acting = [...state.webhooks.values()].filter(({ actsAs }) => actsAs === actorId)
  if (acting.length === 0) return undefined
  const sent = acting
    .flatMap(({ id }) => state.deliveries.group('webhook', id))
    .filter(({ attempts }) => attempts > 0)
    .toSorted((one, other) => one.seq - other.seq)
  // A receiver that still works on a delivery does so in all its calls, whatever was sent meanwhile.
  const inFlight = sent.find((delivery) => delivery.state === 'sending')
  const present = inFlight ?? sent.at(-1)
  if (present === undefined) return undefined
  const isCertain = inFlight !== undefined && inFlight.causedBy === undefined
  const cause = isCertain ? inFlight : (firstUnanswered(sent, present) ?? present)
  return { deliveryId: cause.id, by: 'acts-as' }
}

/**
 * Finds the first recent delivery of another user's event of the same kind that has caused nothing yet. A receiver that
 * responds first and works later may still have to react to several of them: what it does then is no loop.
 */
function firstUnanswered(
  sent: readonly Delivery[],
  { repoId, scope, action }: Delivery,
): Delivery | undefined {
  const answered = new Set(sent.map(({ causedBy }) => causedBy?.deliveryId))
  return sent
    .filter((one) => one.repoId === repoId && one.scope === scope && one.action === action)
    .slice(-longestChain)
    .find(({ id, causedBy }) => causedBy === undefined && !answered.has(id))
}

/** Returns the deliveries that led to one, the oldest first. Evicted ones end the chain. */
export function chainOf({ state }: CauseDeps, cause: DeliveryCause | undefined): Delivery[] {
  const chain: Delivery[] = []
  for (let at = cause; at !== undefined;) {
    const delivery = state.deliveries.get(at.deliveryId)
    if (delivery === undefined || chain.length >= longestChain) break
    chain.unshift(delivery)
    at = delivery.causedBy
  }
  return chain
}

/** Checks whether the next delivery of a webhook would be one more round of the webhook through its own events. */
export function isLooping(
  deps: CauseDeps,
  webhookId: string,
  cause: DeliveryCause | undefined,
): boolean {
  const rounds = chainOf(deps, cause).filter((delivery) => delivery.webhookId === webhookId)
  return rounds.length >= mostRounds
}
