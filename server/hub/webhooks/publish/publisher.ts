import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { DeliveryState } from '../../../contract/words/webhook-words.ts'
import { inBackground, type Report } from '../../../core/background.ts'
import type { RealTime } from '../../../core/real-time.ts'
import type { Deps } from '../../deps.ts'
import type { HubEvent } from '../../events/hub-event.ts'
import type { Delivery, SkippedEvent, Webhook } from '../../../store/entities/webhook-entities.ts'
import type { Backlog } from '../delivery/backlog.ts'
import type { DeliveryLog } from '../delivery/delivery-log.ts'
import { type DeliveryCause, findCause, isLooping } from './causes.ts'
import { type Match, matchEvent, type MatchWorld } from './match.ts'
import { buildPayload, freezePayload } from './build-payload.ts'
import type { Quotas } from './quota.ts'
import type { Retention } from '../delivery/retention.ts'

/** Result of one event: each webhook is in one of the two lists. */
export interface Published {
  event: HubEvent
  deliveries: Delivery[]
  skipped: SkippedEvent['webhooks']
}

/** Changes the payload of an event, for a trigger with overrides. */
export type PayloadPatch = (payload: unknown, event: HubEvent) => unknown

export interface BacklogLimits {
  /** Above either limit, deliveries are held until there is room again. */
  deliveries: number
  bytes: number
}

export interface PublisherOptions {
  log: DeliveryLog
  backlog: Backlog
  retention: Retention
  quotas: Quotas
  world: MatchWorld
  limits: BacklogLimits
  /** Checks whether the deliveries of a webhook wait until it is released. */
  isHeld: (webhook: Webhook) => boolean
  realTime: Pick<RealTime, 'soon'>
  /** Returns the delivery whose job has the token of the call that is under way. */
  jobDeliveryId: () => string | undefined
  /** Passes a delivery on to be sent. */
  admit: (delivery: Delivery) => void
  cancel: (delivery: Delivery, because: string) => void
  report: Report
}

/** Turns events into deliveries. */
export interface Publisher {
  match: (event: HubEvent) => { webhook: Webhook; match: Match }[]
  publish: (event: HubEvent, patch?: PayloadPatch) => Published
  isOverloaded: () => boolean
  /** Releases the held deliveries of a webhook, behind those that wait for room. */
  release(webhookId: string): void
  /** Returns whether there are held deliveries that only wait for room. */
  hasReleased(): boolean
  /** To be called when there may be room again. */
  drain(): void
  clear(): void
}

const portion = 200

export function createPublisher(
  { state, settings, clock }: Pick<Deps, 'state' | 'settings' | 'clock'>,
  {
    log,
    backlog,
    retention,
    quotas,
    world,
    limits,
    isHeld,
    jobDeliveryId,
    realTime,
    admit,
    cancel,
    report,
  }: PublisherOptions,
): Publisher {
  // Held deliveries that only wait for room. While a webhook has some, its new deliveries queue up behind them.
  let released: Delivery[] = []
  const releasedOf = new Map<string, number>()
  let draining = false

  function isOverloaded(): boolean {
    const { deliveries, bytes } = backlog.size()
    return deliveries >= limits.deliveries || bytes >= limits.bytes
  }

  /** Held deliveries and those that wait for a retry may take all bytes for long: one is released at a time meanwhile. */
  function hasRoom(): boolean {
    const { deliveries, bytes } = backlog.size()
    const count = (name: DeliveryState) => state.deliveries.groupSize('state', name)
    const isMoving = count('queued') + count('sending') > 0
    return deliveries - count('held') < limits.deliveries / 2 && (bytes < limits.bytes || !isMoving)
  }

  function countReleased(webhookId: string, change: number): void {
    const count = (releasedOf.get(webhookId) ?? 0) + change
    if (count === 0) releasedOf.delete(webhookId)
    else releasedOf.set(webhookId, count)
  }

  function enlist(delivery: Delivery): void {
    released.push(delivery)
    countReleased(delivery.webhookId, 1)
  }

  function drainSome(): void {
    draining = false
    for (let count = 0; count < portion && released.length > 0 && hasRoom(); count++) {
      const entry = released.shift()
      if (entry === undefined) break
      countReleased(entry.webhookId, -1)
      const delivery = state.deliveries.get(entry.id)
      const webhook = state.webhooks.get(entry.webhookId)
      const waits = webhook !== undefined && isHeld(webhook)
      if (delivery?.state === 'held' && !waits) admit(log.move(delivery.id, { kind: 'released' }))
    }
    drain()
  }

  function drain(): void {
    if (draining || released.length === 0 || !hasRoom()) return
    draining = true
    realTime.soon(() => inBackground(report, 'releasing deliveries', drainSome))
  }

  function deliver(
    webhook: Webhook,
    matchedBy: string,
    event: HubEvent,
    { payload, causedBy }: { payload: unknown; causedBy: DeliveryCause | undefined },
  ) {
    quotas.count(webhook.id)
    state.webhooks.put({ ...webhook, lastTriggerAt: clock.now() })
    const waits = isHeld(webhook)
    const loops = settings.loopDetection && isLooping({ state }, webhook.id, causedBy)
    const lacksRoom = releasedOf.has(webhook.id) || isOverloaded()
    const delivery = log.create({
      webhookId: webhook.id,
      event,
      isSynthetic: event.cause === 'synthetic',
      matchedBy,
      body: freezePayload(payload),
      state: waits || lacksRoom || loops ? 'held' : 'queued',
      ...omitUndefined({ causedBy }),
      ...(loops && { heldBecause: 'loop' as const }),
    })
    if (delivery.state === 'queued') admit(delivery)
    else if (!waits && !loops) {
      enlist(delivery)
      // If all open deliveries are held by users, there is room to send.
      drain()
    }
    return delivery
  }

  /** Cancels the oldest waiting deliveries while there are more than the limits allow. */
  function makeRoom(): void {
    const { waitingDeliveries, waitingBytes } = settings.caps
    for (;;) {
      const { deliveries, bytes } = backlog.size()
      const limit =
        deliveries > waitingDeliveries
          ? `${waitingDeliveries} deliveries (config.caps.waitingDeliveries)`
          : `${waitingBytes} bytes (config.caps.waitingBytes)`
      if (deliveries <= waitingDeliveries && bytes <= waitingBytes) return
      const oldest = backlog.oldest()
      if (oldest === undefined) return
      cancel(oldest, `dropped because more than ${limit} were waiting`)
    }
  }

  const match: Publisher['match'] = (event) =>
    Array.from(state.webhooks.values(), (webhook) => ({
      webhook,
      match: matchEvent(webhook, event, world),
    }))

  return {
    match,
    isOverloaded,
    publish(event, patch) {
      const deliveries: Delivery[] = []
      const causedBy = findCause({ state }, event, jobDeliveryId())
      const skipped: SkippedEvent['webhooks'] = []
      for (const { webhook, match: result } of match(event)) {
        if (result.matched) {
          const payload = buildPayload(settings.baseUrl, webhook.id, event)
          const altered = patch === undefined ? payload : patch(payload, event)
          deliveries.push(deliver(webhook, result.by, event, { payload: altered, causedBy }))
        } else {
          skipped.push({ id: webhook.id, reason: result.reason })
        }
      }
      if (skipped.length > 0) log.skip(event, skipped)
      makeRoom()
      retention.enforce()
      return { event, deliveries, skipped }
    },
    release(webhookId) {
      for (const delivery of state.deliveries.group('open', webhookId)) {
        if (delivery.state === 'held' && delivery.heldBecause === undefined) enlist(delivery)
      }
      drain()
    },
    hasReleased: () => released.length > 0,
    drain,
    clear() {
      released = []
      releasedOf.clear()
    },
  }
}
