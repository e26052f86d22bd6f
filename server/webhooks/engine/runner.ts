import type { Report } from '../../core/background.ts'
import type { RealTime } from '../../core/real-time.ts'
import type { Deps } from '../../events/deps.ts'
import type { Delivery, Webhook } from '../../state/entities/webhooks.ts'
import type { Attempts } from '../delivery/attempts.ts'
import { type Cancelling, createCancelling } from './cancelling.ts'
import { createCourse } from './course.ts'
import type { DeliveryLog } from '../delivery/delivery-log.ts'
import type { DeliveryProfile } from '../delivery/profiles.ts'
import { createPump } from './pump.ts'
import { createQueues, type QueueLimits, type Queues } from './queues.ts'
import { createReplays, type Replays } from './replays.ts'
import type { Retention } from '../delivery/retention.ts'
import { createRetries, type Retries } from './retries.ts'
import { createTurns } from './turns.ts'

export interface RunnerOptions {
  log: DeliveryLog
  attempts: Attempts
  retention: Retention
  profile: DeliveryProfile
  limits: QueueLimits
  realTime: RealTime
  /** Told of trouble that no caller waits for. */
  report: Report
  /** Whether the deliveries of a webhook wait until it is released. */
  isHeld: (webhook: Webhook) => boolean
  /**
   * Resolves when the outcomes so far are in the journal. The place of an attempt is taken until then: what a crash
   * repeats is never more than may be under way.
   */
  settled: () => Promise<void>
  /** Told after each attempt and cancellation. */
  onProgress: () => void
}

/** Takes deliveries through their attempts. */
export interface Runner extends Cancelling, Pick<Replays, 'replay'>, Pick<Retries, 'hasDue'> {
  /** A queued delivery; `recovered` = it may have been sent already by an earlier run. */
  add(delivery: Delivery, recovered?: boolean): void
  /** A delivery that waits for its `nextRetryAt`. */
  awaitRetry(delivery: Delivery): void
  /** Looks for what can be started, after a webhook has changed. */
  pump(): void
  /** Queued deliveries that cannot start before the head of their ordered line is through. */
  blockedCount(): number
  /** Starts nothing any more. */
  stop(): void
  clear(): void
}

type RunnerDeps = Pick<Deps, 'state' | 'clock' | 'bus' | 'ids'>

export function createRunner(deps: RunnerDeps, options: RunnerOptions): Runner {
  const { queues, pump, turns, cancelling, retries, course, replays } = createParts(deps, options)
  return {
    ...cancelling,
    cancel(delivery, because) {
      const cancelled = cancelling.cancel(delivery, because)
      pump.run()
      options.onProgress()
      return cancelled
    },
    replay: replays.replay,
    hasDue: retries.hasDue,
    add(delivery, isRecovered = false) {
      if (isRecovered) course.markRecovered(delivery.id)
      queues.add(delivery)
      pump.run()
    },
    awaitRetry: retries.await,
    pump: pump.run,
    blockedCount: () => countBlocked(deps, queues),
    stop() {
      pump.stop()
      retries.close()
    },
    clear() {
      for (const part of [pump, queues, retries, course, turns]) part.clear()
    },
  }
}

function createParts(deps: RunnerDeps, options: RunnerOptions) {
  const { state, ids } = deps
  const drawn = ids.of('order of deliveries')
  const queues = createQueues(
    options.limits,
    (webhookId) => state.webhooks.get(webhookId)?.order ?? 'parallel',
    () => drawn.random(),
  )
  const turns = createTurns(options.retention)
  const pump = createPump({
    ...options,
    queues,
    start: (webhookId, deliveryId) => course.start(webhookId, deliveryId),
    giveUp: (deliveryId, message) => cancelling.giveUp(deliveryId, message),
  })
  const cancelling = createCancelling(deps, { ...options, queues, pump })
  const retries = createRetries(deps, {
    ...options,
    queues,
    giveUp: cancelling.giveUp,
    onDue: pump.goOn,
  })
  function onMissed(delivery: Delivery): void {
    queues.addAgain(delivery)
    pump.run()
  }
  const course = createCourse(deps, {
    ...options,
    turns,
    queues,
    retries,
    cancel: cancelling.cancel,
    onMissed,
  })
  const replays = createReplays(deps, { ...options, turns, queues, pump, onMissed })
  return { queues, turns, pump, cancelling, retries, course, replays }
}

function countBlocked({ state }: Pick<Deps, 'state'>, queues: Queues): number {
  let count = 0
  for (const id of queues.blocked()) if (state.deliveries.get(id)?.state === 'queued') count++
  return count
}
