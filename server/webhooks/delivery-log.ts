import { omitUndefined } from '../core/omit-undefined.ts'
import type { Deps } from '../events/deps.ts'
import type { DeliveryFact } from '../events/events.ts'
import { dropJob } from '../jobs/job-retention.ts'
import type { HubEvent } from '../events/hub-event.ts'
import type { Attempt, AttemptSource, Delivery, SkippedEvent } from '../state/entities/webhooks.ts'
import type { AttemptResult } from './sending.ts'
import type { FrozenBody } from './payload.ts'
import type { Retention } from './retention.ts'

export interface NewDelivery {
  webhookId: string
  event: {
    id: string
    scope: string
    action: string
    repo: { id: string; name: string; type: string }
  }
  /** No change of the state stands behind the event. */
  isSynthetic: boolean
  matchedBy: string
  body: FrozenBody
  state: 'queued' | 'held' | 'sending'
  derivedFrom?: string
}

/** The one writer of deliveries, their bodies and attempts: each change is stored, then told. */
export interface DeliveryLog {
  create(delivery: NewDelivery): Delivery
  skip(event: HubEvent, webhooks: SkippedEvent['webhooks']): void
  /**
   * Notes that an attempt is about to be sent, so that a crash cannot hide it. A replay goes beside
   * the delivery's own course and leaves its state alone.
   */
  openAttempt(
    delivery: Delivery,
    source: AttemptSource,
    what: Pick<Attempt, 'request' | 'jobId'>,
  ): Attempt
  closeAttempt(attempt: Attempt, result: AttemptResult): Attempt
  /** An attempt whose end nobody saw. */
  loseAttempt(attempt: Attempt): void
  hold(delivery: Delivery): Delivery
  queue(delivery: Delivery): Delivery
  /** A step of the schedule is used up, the next one waits. */
  wait(delivery: Delivery, nextRetryAt: number): Delivery
  /** The next step waits longer. */
  postpone(delivery: Delivery, nextRetryAt: number): Delivery
  succeed(delivery: Delivery, attempt: Attempt): Delivery
  fail(delivery: Delivery, attempt: Attempt): Delivery
  cancel(delivery: Delivery, because: string): Delivery
  /** Starts a finished delivery's schedule again. */
  reopen(delivery: Delivery): Delivery
  /** What is not finished yet. */
  backlog(): { deliveries: number; bytes: number }
  /** Counts what the state holds, after a start or a reset. */
  recount(): void
}

// Replays can be repeated without end; the log of one delivery may not grow so.
const keptAttempts = 100

export function createDeliveryLog(
  deps: Pick<Deps, 'state' | 'bus' | 'clock' | 'ids'>,
  retention: Retention,
): DeliveryLog {
  const { state, bus, clock, ids } = deps
  let openBytes = 0

  function bytesOf(delivery: Delivery): number {
    return state.deliveryBodies.get(delivery.id)?.bytes ?? 0
  }

  function nextSeq(): number {
    const last = Math.max(state.deliveries.last()?.seq ?? 0, state.skippedEvents.last()?.seq ?? 0)
    return last + 1
  }

  /** Puts a delivery into another state without what only belonged to the former one. */
  function move(delivery: Delivery, changes: Partial<Delivery>): Delivery {
    // A plain copy is several times faster than one with members left out, and most have none to leave out.
    const { nextRetryAt, finishedAt, cancelledBecause } = delivery
    const isPlain = (nextRetryAt ?? finishedAt ?? cancelledBecause) === undefined
    return state.deliveries.put({ ...(isPlain ? delivery : plain(delivery)), ...changes })
  }

  function finish(delivery: Delivery, changes: Partial<Delivery>): Delivery {
    if (delivery.finishedAt === undefined) openBytes -= bytesOf(delivery)
    const finished = move(delivery, { ...changes, finishedAt: clock.now() })
    retention.finished(finished)
    return finished
  }

  return {
    create({ webhookId, event, isSynthetic, matchedBy, body, state: initial, derivedFrom }) {
      const delivery = state.deliveries.put({
        id: ids.objectId(),
        seq: nextSeq(),
        messageId: ids.uuid(),
        webhookId,
        eventId: event.id,
        scope: event.scope,
        action: event.action,
        repo: event.repo.name,
        repoType: event.repo.type,
        repoId: event.repo.id,
        state: initial,
        matchedBy,
        attempts: 0,
        tries: 0,
        createdAt: clock.now(),
        ...omitUndefined({ derivedFrom }),
        ...(isSynthetic && { synthetic: true }),
      })
      state.deliveryBodies.put({ id: delivery.id, ...body })
      retention.grew(body.bytes)
      openBytes += body.bytes
      bus.emit('delivery.queued', factOf(delivery))
      return delivery
    },

    skip(event, webhooks) {
      const { id, scope, action, repo } = event
      state.skippedEvents.put({
        id,
        seq: nextSeq(),
        scope,
        action,
        repo: repo.name,
        repoType: repo.type,
        at: clock.now(),
        webhooks,
      })
      retention.skipped(webhooks.length)
      bus.emit('delivery.skipped', {
        eventId: id,
        scope,
        action,
        repo: repo.name,
        repoType: repo.type,
        webhooks,
      })
    },

    openAttempt(delivery, source, what) {
      const number = delivery.attempts + 1
      const dropped = state.attempts.get(`${delivery.id}/${number - keptAttempts}`)
      if (dropped !== undefined) {
        retention.grew(-(dropped.response?.body.length ?? 0))
        state.attempts.delete(dropped.id)
        if (dropped.jobId !== undefined) dropJob(state, dropped.jobId)
      }
      if (source === 'replay') state.deliveries.put({ ...delivery, attempts: number })
      else move(delivery, { attempts: number, state: 'sending' })
      return state.attempts.put({
        id: `${delivery.id}/${number}`,
        deliveryId: delivery.id,
        number,
        source,
        at: clock.now(),
        ...what,
      })
    },

    closeAttempt(attempt, result) {
      const outcome = result.error === undefined ? 'succeeded' : 'failed'
      const closed = state.attempts.put({ ...attempt, outcome, ...result })
      retention.grew(result.response?.body.length ?? 0)
      const delivery = state.deliveries.get(attempt.deliveryId)
      if (delivery !== undefined) {
        bus.emit('delivery.attempted', {
          ...factOf(delivery),
          attempt: attempt.number,
          source: attempt.source,
          durationMs: result.durationMs,
          ...verdictOf(closed),
        })
      }
      return closed
    },

    loseAttempt(attempt) {
      state.attempts.put({ ...attempt, outcome: 'unknown' })
    },

    hold: (delivery) => move(delivery, { state: 'held' }),

    queue: (delivery) => move(delivery, { state: 'queued' }),

    wait(delivery, nextRetryAt) {
      const tries = delivery.tries + 1
      const waiting = move(delivery, { state: 'waiting', tries, nextRetryAt })
      bus.emit('delivery.waiting', { ...factOf(waiting), attempt: waiting.attempts, nextRetryAt })
      return waiting
    },

    postpone: (delivery, nextRetryAt) => move(delivery, { nextRetryAt }),

    succeed(delivery, attempt) {
      const succeeded = finish(delivery, {
        state: 'succeeded',
        ...(attempt.number === 1 && { succeededAtFirst: true }),
      })
      bus.emit('delivery.succeeded', {
        ...factOf(succeeded),
        attempt: attempt.number,
        durationMs: attempt.durationMs ?? 0,
        ...omitUndefined({ status: attempt.status }),
      })
      return succeeded
    },

    fail(delivery, attempt) {
      const failed = finish(delivery, { state: 'failed' })
      bus.emit('delivery.failed', {
        ...factOf(failed),
        attempt: attempt.number,
        ...verdictOf(attempt),
      })
      return failed
    },

    cancel(delivery, because) {
      const cancelled = finish(delivery, { state: 'cancelled', cancelledBecause: because })
      bus.emit('delivery.cancelled', { ...factOf(cancelled), because })
      return cancelled
    },

    reopen(delivery) {
      const queued = move(delivery, { state: 'queued', tries: 0 })
      openBytes += bytesOf(queued)
      bus.emit('delivery.queued', factOf(queued))
      return queued
    },

    backlog() {
      const states = ['held', 'queued', 'sending', 'waiting'] as const
      const deliveries = states.reduce(
        (sum, name) => sum + state.deliveries.groupSize('state', name),
        0,
      )
      return { deliveries, bytes: openBytes }
    },

    recount() {
      openBytes = 0
      for (const delivery of state.deliveries.values()) {
        if (delivery.finishedAt === undefined) openBytes += bytesOf(delivery)
      }
    },
  }
}

function plain({
  nextRetryAt: _nextRetryAt,
  finishedAt: _finishedAt,
  cancelledBecause: _cancelledBecause,
  ...rest
}: Delivery): Delivery {
  return rest
}

function verdictOf(attempt: Attempt): Pick<Attempt, 'status' | 'error'> {
  return {
    ...omitUndefined({ status: attempt.status }),
    ...(attempt.error && { error: attempt.error }),
  }
}

function factOf(delivery: Delivery): DeliveryFact {
  return {
    deliveryId: delivery.id,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    scope: delivery.scope,
    action: delivery.action,
    repo: delivery.repo,
    repoType: delivery.repoType,
    state: delivery.state,
    ...omitUndefined({ derivedFrom: delivery.derivedFrom, synthetic: delivery.synthetic }),
  }
}
