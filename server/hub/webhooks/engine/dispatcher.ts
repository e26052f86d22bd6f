import { inBackground, type Report } from '../../../core/background.ts'
import type { RealTime } from '../../../core/real-time.ts'
import type { AttemptSource } from '../../../contract/words/webhook-words.ts'
import type { Deps } from '../../deps.ts'
import type { Attempt, Delivery, Webhook } from '../../../store/entities/webhook-entities.ts'
import type { DeliveryLog } from '../delivery/delivery-log.ts'
import type { DeliveryProfile } from '../delivery/profiles.ts'
import type { Retention } from '../delivery/retention.ts'
import type { Attempts, ConcludedAttempt } from '../delivery/send-attempt.ts'
import { judgeWebhook, withoutShownFailures } from '../delivery/suspension.ts'
import type { BodyPace } from '../../../web/outgoing/wire.ts'
import { decideOutcome, decideReplayOutcome, whyNeverSent } from './attempt-outcome.ts'
import { createQueues, type QueueLimits } from './queues.ts'
import { createRetryTimer, type DueRetry } from './retry-timer.ts'

/**
 * Takes deliveries through their attempts: queue → attempt → success, failure, or a wait for the next attempt. Replays
 * run beside that and never delay it.
 */
export interface Dispatcher {
  /**
   * Queues a delivery.
   * @param isRecovered whether an earlier run may already have sent it
   */
  add(delivery: Delivery, isRecovered?: boolean): void
  /** Queues a delivery again at its `nextRetryAt`. */
  awaitRetry(delivery: Delivery): void
  /** Starts as many queued deliveries as the limits allow; to be called after a webhook has changed. */
  run(): void
  /** Sends a delivery once more; returns `undefined` when the state was reset meanwhile. */
  replay(delivery: Delivery, webhook: Webhook, pace?: BodyPace): Promise<Attempt | undefined>
  cancel(delivery: Delivery, because: string): Delivery
  /** Cancels all deliveries of a webhook that are not in flight. */
  cancelOpen(webhookId: string, because: string): void
  /** Cancels a delivery after an internal error, so that no later start repeats the error. */
  giveUp(deliveryId: string, message: string): void
  /** Returns whether a retry is due that has not been queued yet. */
  hasDue(): boolean
  /** Counts queued deliveries that wait behind a retry of an ordered webhook. */
  blockedCount(): number
  /** Starts no more attempts. */
  stop(): void
  /** Drops all queues after the state was replaced. */
  clear(): void
}

export interface DispatcherOptions {
  log: DeliveryLog
  attempts: Attempts
  retention: Retention
  profile: DeliveryProfile
  limits: QueueLimits
  realTime: RealTime
  /** Receives errors that no caller waits for. */
  report: Report
  /** Checks whether the deliveries of a webhook wait until it is released. */
  isHeld: (webhook: Webhook) => boolean
  /**
   * Resolves when all outcomes so far are in the journal. An attempt keeps its place in the limits until then, so a crash
   * never repeats more deliveries than the limits allow in flight.
   */
  settled: () => Promise<void>
  /** Called after each attempt and each cancellation. */
  onProgress: () => void
}

/** Number of deliveries started or cancelled before other work gets its turn. */
const portion = 200

/** A retry this late, without a change of the clock, was due while the machine slept. */
const sleptMs = 5000

export function createDispatcher(
  deps: Pick<Deps, 'state' | 'clock' | 'bus' | 'ids'>,
  options: DispatcherOptions,
): Dispatcher {
  const { state, clock, ids } = deps
  const { attempts, log, profile, realTime, report, retention, isHeld, onProgress } = options
  const shuffle = ids.of('order of deliveries')
  const queues = createQueues(
    options.limits,
    (webhookId) => state.webhooks.get(webhookId)?.order ?? 'parallel',
    () => shuffle.random(),
  )
  const retryTimer = createRetryTimer(clock, realTime, queueRetries)
  /** Deliveries that an earlier run may already have sent. */
  const recovered = new Set<string>()
  /** Number of attempts in flight per delivery: replays run beside the automatic attempt. */
  const inFlight = new Map<string, number>()
  /** Deliveries whose turn came while an attempt of theirs was in flight. */
  const missedTurn = new Set<string>()
  let isNextPortionPlanned = false
  let isStopped = false
  let generation = 0

  // Queue

  function add(delivery: Delivery, isRecovered = false): void {
    if (isRecovered) recovered.add(delivery.id)
    queues.add(delivery)
    run()
  }

  function run(): void {
    if (isNextPortionPlanned || isStopped) return
    for (let count = 0; count < portion; count++) {
      const next = queues.take()
      if (next === undefined) return
      occupyPlace(next.webhookId, next.deliveryId)
    }
    isNextPortionPlanned = true
    realTime.soon(() => {
      isNextPortionPlanned = false
      continueRun()
    })
  }

  function continueRun(): void {
    inBackground(report, 'sending deliveries', () => {
      run()
      onProgress()
    })
  }

  /** Starts the next attempt of a delivery and frees its place in the limits afterwards, whatever happens. */
  function occupyPlace(webhookId: string, deliveryId: string): void {
    const startedIn = generation
    function freePlace(): void {
      if (generation === startedIn) queues.done(webhookId)
    }
    inBackground(
      report,
      `delivery ${deliveryId}`,
      () => {
        const started = start(webhookId, deliveryId)
        if (started === undefined) freePlace()
        return started?.then(() => {
          freePlace()
          continueRun()
        })
      },
      (message) => {
        freePlace()
        giveUp(deliveryId, message)
        continueRun()
      },
    )
  }

  // Attempt

  /**
   * Starts the next automatic attempt of a delivery.
   * @returns a promise that settles when the outcome is stored; `undefined` when there is nothing to send
   */
  function start(webhookId: string, deliveryId: string): Promise<void> | undefined {
    const delivery = state.deliveries.get(deliveryId)
    if (delivery?.state !== 'queued') return undefined
    const webhook = state.webhooks.get(webhookId)
    const because = whyNeverSent(state, delivery, webhook)
    if (because !== undefined) cancelOne(delivery, because)
    // A delivery of a deleted webhook was cancelled just now.
    if (webhook === undefined || because !== undefined) return undefined
    if (isHeld(webhook)) {
      log.move(deliveryId, { kind: 'held' })
      return undefined
    }
    if (inFlight.has(deliveryId)) {
      missedTurn.add(deliveryId)
      // An ordered webhook sends nothing else meanwhile.
      queues.block(delivery)
      return undefined
    }
    return send(delivery, webhook)
  }

  async function send(delivery: Delivery, webhook: Webhook): Promise<void> {
    const isFirst = delivery.tries === 0
    const isRecovered = recovered.delete(delivery.id)
    const source: AttemptSource = isRecovered ? 'recovered' : isFirst ? 'auto' : 'retry'
    await whileInFlight(delivery, async () => {
      const concluded = await attempts.start(delivery, webhook, source)
      if (concluded !== undefined) conclude(delivery.id, concluded)
    })
    retention.enforce()
    await options.settled()
  }

  /** Keeps the delivery in the log during an attempt, and starts no other automatic attempt of it. */
  async function whileInFlight<T>(delivery: Delivery, act: () => Promise<T>): Promise<T> {
    const { id } = delivery
    const unprotect = retention.protect(id)
    inFlight.set(id, (inFlight.get(id) ?? 0) + 1)
    try {
      return await act()
    } finally {
      unprotect()
      const others = (inFlight.get(id) ?? 1) - 1
      if (others > 0) inFlight.set(id, others)
      else inFlight.delete(id)
      if (others <= 0 && missedTurn.delete(id)) {
        queues.unblock(delivery.webhookId, id)
        queues.addAgain(delivery)
        run()
      }
    }
  }

  function conclude(deliveryId: string, concluded: ConcludedAttempt): void {
    const delivery = state.deliveries.get(deliveryId)
    if (delivery === undefined) return
    const { happening, judge } = decideOutcome(deps, profile, delivery, concluded)
    const after = happening === undefined ? delivery : log.move(deliveryId, happening)
    if (happening?.kind === 'rescheduled') awaitRetry(after)
    else if (after.finishedAt !== undefined) queues.unblock(after.webhookId, deliveryId)
    // Last: a suspension cancels the retry that was just planned.
    if (judge !== undefined) judgeWebhook(deps, delivery.webhookId, judge)
  }

  // Retries

  function awaitRetry(delivery: Delivery): void {
    const { id, nextRetryAt } = delivery
    if (nextRetryAt === undefined) return
    queues.block(delivery)
    retryTimer.add({ deliveryId: id, at: nextRetryAt })
  }

  function queueRetries(due: readonly DueRetry[], wasClockMoved: boolean): void {
    for (const retry of due) {
      inBackground(
        report,
        `the retry of delivery ${retry.deliveryId}`,
        () => queueRetry(retry, wasClockMoved),
        (message) => giveUp(retry.deliveryId, message),
      )
    }
    continueRun()
  }

  function queueRetry({ deliveryId, at }: DueRetry, wasClockMoved: boolean): void {
    const delivery = state.deliveries.get(deliveryId)
    if (delivery?.state !== 'waiting' || delivery.nextRetryAt !== at) return
    const now = clock.now()
    if (!wasClockMoved && now - at > sleptMs) {
      // Spreads the retries that became due during sleep.
      const random = ids.of('retry', delivery.webhookId).random()
      const nextRetryAt = now + Math.floor(random * sleptMs)
      awaitRetry(log.move(deliveryId, { kind: 'postponed', nextRetryAt }))
      return
    }
    log.move(deliveryId, { kind: 'due' })
    queues.unblock(delivery.webhookId, deliveryId)
    queues.addAgain(delivery)
  }

  // Replays

  async function replay(
    delivery: Delivery,
    webhook: Webhook,
    pace?: BodyPace,
  ): Promise<Attempt | undefined> {
    const attempt = await whileInFlight(delivery, async () => {
      const concluded = await attempts.start(delivery, webhook, 'replay', pace)
      if (concluded !== undefined) concludeReplay(delivery, concluded.attempt)
      return concluded?.attempt
    })
    retention.enforce()
    onProgress()
    return attempt
  }

  function concludeReplay(before: Delivery, attempt: Attempt): void {
    const { id, webhookId } = before
    const now = state.deliveries.get(id)
    if (attempt.error === undefined) judgeWebhook(deps, webhookId, withoutShownFailures)
    const happening = now && decideReplayOutcome(before, now, attempt)
    if (happening === undefined) return
    log.move(id, happening)
    queues.unblock(webhookId, id)
    run()
  }

  // Cancelling

  function cancelOne({ id, webhookId }: Delivery, because: string): Delivery {
    const cancelled = log.move(id, { kind: 'cancelled', because })
    queues.unblock(webhookId, id)
    return cancelled
  }

  function cancelSome(deliveryIds: readonly string[], because: string): void {
    for (const id of deliveryIds.slice(0, portion)) {
      const delivery = state.deliveries.get(id)
      if (delivery === undefined || delivery.finishedAt !== undefined) continue
      if (delivery.state !== 'sending') cancelOne(delivery, because)
    }
    retention.enforce()
    const rest = deliveryIds.slice(portion)
    if (rest.length > 0) {
      realTime.soon(() => {
        inBackground(report, 'cancelling deliveries', () => cancelSome(rest, because))
      })
    }
    run()
    onProgress()
  }

  function giveUp(deliveryId: string, message: string): void {
    const delivery = state.deliveries.get(deliveryId)
    if (delivery === undefined || delivery.finishedAt !== undefined) return
    cancelOne(delivery, `internal error of the sandbox: ${message}`)
  }

  return {
    add,
    awaitRetry,
    run,
    replay,
    cancel(delivery, because) {
      const cancelled = cancelOne(delivery, because)
      run()
      onProgress()
      return cancelled
    },
    cancelOpen(webhookId, because) {
      const ids = state.deliveries.group('open', webhookId).map(({ id }) => id)
      cancelSome(ids, because)
    },
    giveUp,
    hasDue: retryTimer.hasDue,
    blockedCount() {
      let count = 0
      for (const id of queues.blocked()) if (state.deliveries.get(id)?.state === 'queued') count++
      return count
    },
    stop() {
      isStopped = true
      retryTimer.close()
    },
    clear() {
      generation++
      queues.clear()
      retryTimer.clear()
      recovered.clear()
      inFlight.clear()
      missedTurn.clear()
    },
  }
}
