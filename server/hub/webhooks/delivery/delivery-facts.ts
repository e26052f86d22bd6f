import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { Bus } from '../../events/bus.ts'
import type { DeliveryFact } from '../../../contract/live.ts'
import type { SandboxEvents } from '../../events/event-types.ts'
import type { Attempt, Delivery } from '../../../store/entities/webhook-entities.ts'
import type { DeliveryState } from '../../../contract/words/webhook-words.ts'

type EmittedType = `delivery.${Exclude<DeliveryState, 'held' | 'sending'>}`

/** Bus event about a change of a delivery. */
export type DeliveryEvent<T extends EmittedType = EmittedType> = {
  [Type in T]: { readonly type: Type; readonly data: SandboxEvents[Type] }
}[T]

export function emitDelivery<T extends EmittedType>(
  bus: Bus,
  { type, data }: DeliveryEvent<T>,
): void {
  bus.emit(type, data)
}

/**
 * Builds the data of an event about a delivery.
 * @param more members that only this event has
 */
export function factOf(delivery: Delivery): DeliveryFact
export function factOf<T extends object>(delivery: Delivery, more: T): DeliveryFact & T
export function factOf(delivery: Delivery, more?: object): DeliveryFact {
  return {
    deliveryId: delivery.id,
    number: delivery.seq,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    scope: delivery.scope,
    action: delivery.action,
    repo: delivery.repo,
    repoType: delivery.repoType,
    state: delivery.state,
    ...omitUndefined({
      derivedFrom: delivery.derivedFrom,
      duplicate: delivery.duplicate,
      synthetic: delivery.synthetic,
    }),
    ...more,
  }
}

export function verdictOf({ status, error }: Attempt): Pick<Attempt, 'status' | 'error'> {
  return omitUndefined({ status, error })
}
