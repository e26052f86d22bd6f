import { mostRounds } from '../../../contract/words/webhook-words.ts'
import type { Deps } from '../../deps.ts'
import type { HubEvent } from '../../events/hub-event.ts'
import type { Delivery, Webhook } from '../../../store/entities/webhook-entities.ts'

type CauseDeps = Pick<Deps, 'state'>
export type DeliveryCause = NonNullable<Delivery['causedBy']>

/** Part of a chain that is looked at and shown, and number of deliveries that may still be unanswered. */
const longestChain = 100

/**
 * Finds the earlier delivery that caused an event: the one whose job has the token of the call, or the one that a receiver
 * got which acts as the user of the event. A webhook that names no such user is assumed to act as its owner, which holds no
 * delivery. Nothing is guessed from times or addresses; where several deliveries are possible causes, one that is no round
 * of a loop is preferred.
 * @param jobDeliveryId delivery whose job has the token of the call
 */
export function findCause(
  { state }: CauseDeps,
  { actorId, cause: made }: Pick<HubEvent, 'actorId' | 'cause'>,
  jobDeliveryId: string | undefined,
): DeliveryCause | undefined {
  if (jobDeliveryId !== undefined && state.deliveries.has(jobDeliveryId)) {
    return { deliveryId: jobDeliveryId, by: 'job-token' }
  }
  if (actorId === undefined) return undefined
  const webhooks = [...state.webhooks.values()]
  const declared = webhooks.filter(({ actsAs }) => actsAs === actorId)
  if (declared.length > 0) return causeAmong(sentTo(state, declared), 'acts-as')
  // A receiver calls the API of the Hub.
  if (made !== 'api') return undefined
  // A job has a token of its own.
  const owned = webhooks.filter(
    ({ actsAs, ownerId, url }) => actsAs === undefined && ownerId === actorId && url !== undefined,
  )
  return causeAmong(sentTo(state, owned, longestGuess), 'owner')
}

/** Latest deliveries of a webhook that may be the cause of a change of its owner. */
const longestGuess = 20

/** Returns the deliveries that were sent to some webhooks, the oldest first. */
function sentTo(
  state: CauseDeps['state'],
  webhooks: readonly Webhook[],
  most = Number.POSITIVE_INFINITY,
): Delivery[] {
  return webhooks
    .flatMap(({ id }) => state.deliveries.group('webhook', id).slice(-most))
    .filter(({ attempts }) => attempts > 0)
    .toSorted((one, other) => one.seq - other.seq)
}

function causeAmong(sent: readonly Delivery[], by: DeliveryCause['by']): DeliveryCause | undefined {
  // A receiver that still works on a delivery does so in all its calls, whatever was sent meanwhile.
  const inFlight = sent.find((delivery) => delivery.state === 'sending')
  const present = inFlight ?? sent.at(-1)
  if (present === undefined) return undefined
  const isCertain = inFlight !== undefined && inFlight.causedBy === undefined
  const cause = isCertain ? inFlight : (firstUnanswered(sent, present) ?? present)
  return { deliveryId: cause.id, by }
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

/** Returns the deliveries that certainly led to one, the oldest first. Evicted ones end the chain. */
export function chainOf({ state }: CauseDeps, cause: DeliveryCause | undefined): Delivery[] {
  const chain: Delivery[] = []
  for (let at = cause; at !== undefined && at.by !== 'owner';) {
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
