import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { Deps } from '../../deps.ts'
import type { EventCause } from '../../../contract/words/hub-words.ts'
import type { HubEvent } from '../../events/hub-event.ts'
import type { Delivery, SkippedEvent } from '../../../store/entities/webhook-entities.ts'
import type { Backlog } from './backlog.ts'
import { emitDelivery } from './delivery-facts.ts'
import {
  apply,
  beginDelivery,
  type FirstState,
  type Happening,
  type HappeningKind,
} from './delivery-life.ts'
import type { Retention } from './retention.ts'

/** Serialized payload, unchanged across retries and replays. */
export interface FrozenBody {
  body: string
  sha256: string
  bytes: number
}

export interface NewDelivery {
  webhookId: string
  event: {
    id: string
    scope: string
    action: string
    repo: { id: string; name: string; type: string }
    /** User who caused the event, and how. */
    actorId?: string | undefined
    cause?: EventCause | undefined
  }
  /** Whether the event was sent without a change of the state. */
  isSynthetic: boolean
  matchedBy: string
  body: FrozenBody
  state: FirstState
  causedBy?: Delivery['causedBy']
  heldBecause?: Delivery['heldBecause']
  derivedFrom?: string
  /** Whether the body is that of the original delivery. */
  duplicate?: boolean
}

/** Writes all deliveries and their bodies: stores each change, then emits it. */
export interface DeliveryLog {
  create(delivery: NewDelivery): Delivery
  /**
   * Stores that something has happened to a delivery.
   * @throws {TypeError} when it cannot happen in the present state
   * @throws {Error} when there is no such delivery
   */
  move<K extends HappeningKind>(id: string, happening: Happening<K>): Delivery
  /** Stores which webhooks get no delivery of an event, and why. */
  skip(event: HubEvent, webhooks: SkippedEvent['webhooks']): void
}

export function createDeliveryLog(
  { state, bus, clock, ids }: Pick<Deps, 'state' | 'bus' | 'clock' | 'ids'>,
  backlog: Backlog,
  retention: Retention,
): DeliveryLog {
  function nextSeq(): number {
    const last = Math.max(state.deliveries.last()?.seq ?? 0, state.skippedEvents.last()?.seq ?? 0)
    return last + 1
  }

  return {
    create({ webhookId, event, isSynthetic, matchedBy, body, state: first, ...origin }) {
      const own = ids.of('delivery', webhookId)
      const about = {
        id: own.objectId(),
        seq: nextSeq(),
        messageId: own.uuid(),
        webhookId,
        eventId: event.id,
        scope: event.scope,
        action: event.action,
        repo: event.repo.name,
        repoType: event.repo.type,
        repoId: event.repo.id,
        matchedBy,
        createdAt: clock.now(),
        ...omitUndefined({ ...origin, actorId: event.actorId, cause: event.cause }),
        ...(isSynthetic && { synthetic: true }),
      }
      const { delivery, event: emitted } = beginDelivery(about, first)
      state.deliveries.put(delivery)
      state.deliveryBodies.put({ id: delivery.id, ...body })
      retention.grew(body.bytes)
      backlog.opened(delivery)
      emitDelivery(bus, emitted)
      return delivery
    },

    move(id, happening) {
      const before = state.deliveries.get(id)
      if (before === undefined) throw new Error(`delivery ${id} no longer exists`)
      const { delivery, event } = apply(before, happening, clock.now())
      state.deliveries.put(delivery)
      const isFinished = delivery.finishedAt !== undefined
      if (isFinished !== (before.finishedAt !== undefined)) {
        if (isFinished) backlog.finished(delivery)
        else backlog.opened(delivery)
      }
      if (isFinished && delivery.state !== before.state) retention.finished(delivery)
      if (event !== undefined) emitDelivery(bus, event)
      return delivery
    },

    skip(event, webhooks) {
      const { id, scope, action, repo } = event
      const row = { scope, action, repo: repo.name, repoType: repo.type, webhooks }
      const number = nextSeq()
      state.skippedEvents.put({ id, seq: number, at: clock.now(), ...row })
      retention.skipped(webhooks.length)
      bus.emit('delivery.skipped', { eventId: id, number, ...row })
    },
  }
}
