import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Bus } from '../../events/bus.ts'
import type { DeliveryFact } from '../../contract/live.ts'
import type { SandboxEvents } from '../../events/events.ts'
import type { Attempt, Delivery } from '../../state/entities/webhooks.ts'
import type { DeliveryState } from '../../contract/words/webhooks.ts'

type ToldType = `delivery.${Exclude<DeliveryState, 'held' | 'sending'>}`

/** What everybody is told of a move of a delivery. */
export type DeliveryTold<T extends ToldType = ToldType> = {
  [Type in T]: { readonly type: Type; readonly data: SandboxEvents[Type] }
}[T]

export function tell<T extends ToldType>(bus: Bus, { type, data }: DeliveryTold<T>): void {
  bus.emit(type, data)
}

/**
 * What every fact about a delivery says.
 * @param more what this one says besides
 */
export function factOf(delivery: Delivery): DeliveryFact
export function factOf<T extends object>(delivery: Delivery, more: T): DeliveryFact & T
export function factOf(delivery: Delivery, more?: object): DeliveryFact {
  return {
    deliveryId: delivery.id,
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
