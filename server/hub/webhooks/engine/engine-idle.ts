import type { RealTime } from '../../../core/real-time.ts'
import type { DeliveryState } from '../../../contract/words/webhook-words.ts'
import type { Deps } from '../../deps.ts'
import type { Delivery } from '../../../store/entities/webhook-entities.ts'
import type { Attempts } from '../delivery/send-attempt.ts'
import type { Publisher } from '../publish/publisher.ts'
import type { Dispatcher } from './dispatcher.ts'

/** Deliveries that are not finished. */
export interface Outstanding {
  queued: number
  /** In flight, including replays and deliveries that were cancelled during their attempt. */
  sending: number
  waiting: number
  held: number
  /** The oldest deliveries that are queued, in flight or waiting. */
  deliveries: Pick<Delivery, 'id' | 'webhookId' | 'state' | 'nextRetryAt'>[]
}

/**
 * Returns whether nothing happens until a user acts or the clock moves.
 * @param waiting counts deliveries that wait for a retry as well
 */
export function isIdle(
  { state: { deliveries } }: Pick<Deps, 'state'>,
  attempts: Pick<Attempts, 'size'>,
  dispatcher: Pick<Dispatcher, 'blockedCount' | 'hasDue'>,
  publisher: Pick<Publisher, 'hasReleased'>,
  waiting: boolean,
): boolean {
  const queued = deliveries.groupSize('state', 'queued')
  return (
    attempts.size === 0 &&
    deliveries.groupSize('state', 'sending') === 0 &&
    (queued === 0 || queued === dispatcher.blockedCount()) &&
    !dispatcher.hasDue() &&
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

/** Callers that wait until the engine is idle. */
export interface IdleWaiters {
  /** Resolves with true once `isIdle` returns true, with false after the timeout. */
  wait(isIdle: () => boolean, timeoutMs: number): Promise<boolean>
  /** Checks all waiting callers; to be called whenever the engine may have become idle. */
  check(): void
  /** Ends all waits with false. */
  giveUp(): void
}

/** @param realTime timeouts of callers do not follow the sandbox clock */
export function createIdleWaiters(realTime: Pick<RealTime, 'after'>): IdleWaiters {
  const waiters = new Set<{ isIdle: () => boolean; resolve: (idle: boolean) => void }>()
  return {
    wait(isIdle, timeoutMs) {
      if (isIdle()) return Promise.resolve(true)
      return new Promise((resolve) => {
        const waiter = {
          isIdle,
          resolve(idle: boolean) {
            stopTimer()
            waiters.delete(waiter)
            resolve(idle)
          },
        }
        const stopTimer = realTime.after(timeoutMs, () => waiter.resolve(false))
        waiters.add(waiter)
      })
    },
    check() {
      for (const waiter of waiters) if (waiter.isIdle()) waiter.resolve(true)
    },
    giveUp() {
      for (const waiter of waiters) waiter.resolve(false)
    },
  }
}
