import { suspendedStatus } from '../../../server/contract/words/webhook-words.ts'
import { type Arrival, nameIn } from './network.ts'
import { syncedAfterMs } from './facts.ts'
import type { World } from './world.ts'

/** Returns true while a user sends a delivery again, which he may do as often as he likes. */
export function isByHand(world: World, deliveryId: string): boolean {
  const attempts = world.sandbox.deps.state.attempts.group('delivery', deliveryId)
  return attempts.some(({ outcome, source }) => outcome === undefined && source === 'replay')
}

/** Looks at a request to a receiver in the moment in which it is sent. */
export function checkArrival(world: World, arrival: Arrival): void {
  const { webhook: name, messageId } = arrival
  // At the start of a process the state is not to be seen yet.
  if (!world.isRunning || world.facts.replacing > 0) return
  const { state } = world.sandbox.deps
  const webhook = [...state.webhooks.values()].find(({ secret = '' }) => nameIn(secret) === name)
  const hook = world.facts.hooks.find((one) => one.name === name)
  const isKnown = hook?.standing === 'live' && !hook.isChanging && hook.secret !== undefined
  if (isKnown && hook.secret !== arrival.secret) {
    return world.fail(
      'a delivery carries the present secret of its webhook',
      `${arrival.secret} in place of ${hook.secret}`,
    )
  }
  const deliveries = webhook === undefined ? [] : state.deliveries.group('webhook', webhook.id)
  const delivery = deliveries.find((one) => one.messageId === messageId)
  if (delivery !== undefined && isByHand(world, delivery.id)) return
  const isStopped = hook?.isChanging === false && hook.isEnabled === false
  if (hook?.standing === 'gone' || (hook?.standing === 'live' && isStopped)) {
    return world.fail('nothing is sent to a disabled or deleted webhook', `${name}: ${messageId}`)
  }
  if (webhook?.status === suspendedStatus) {
    return world.fail('a suspended webhook sends nothing, and says why', `${name}: ${messageId}`)
  }
  if (webhook?.order === 'ordered' && delivery !== undefined) {
    const earlier = deliveries.find(
      ({ seq, state: how, derivedFrom }) =>
        seq < delivery.seq && ['queued', 'sending', 'waiting'].includes(how) && !derivedFrom,
    )
    if (earlier !== undefined) {
      world.fail(
        'an ordered webhook sends its deliveries one after the other',
        `${name} sends ${delivery.seq} while ${earlier.seq} is ${earlier.state}`,
      )
    }
  }
  const { epoch } = world.facts
  const isDone = world.network.arrivals.some(
    (other) =>
      other !== arrival &&
      other.messageId === messageId &&
      other.webhook === name &&
      other.epoch === epoch &&
      other.endedAt !== undefined &&
      other.endedAt + syncedAfterMs < world.scheduler.now &&
      (other.status ?? 500) < 300,
  )
  if (isDone) {
    world.fail(
      'a delivery that a receiver has confirmed is not sent again',
      `${name}: ${messageId}`,
    )
  }
}
