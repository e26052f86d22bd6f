import { omitUndefined } from '../core/omit-undefined.ts'
import { inBackground, type Report } from '../core/background.ts'
import type { RealTime } from '../core/real-time.ts'
import type { Deps } from '../events/deps.ts'
import type { AttemptSource, Attempt, Delivery, Webhook } from '../state/entities/webhooks.ts'
import type { Attempts, ConcludedAttempt } from './attempts.ts'
import { mayHappen } from './delivery-life.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { DeliveryProfile } from './profiles.ts'
import { createQueues, type QueueLimits } from './queues.ts'
import type { Retention } from './retention.ts'
import { createRetryTimer, type DueRetry } from './retry-timer.ts'
import { nextRetryDelay } from './schedule.ts'
import { afterFailure, withoutFailures } from './suspension.ts'

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
  isHeld(webhook: Webhook): boolean
  /** Whether the webhook's owner may still see the repository. */
  isVisible(delivery: Delivery, webhook: Webhook): boolean
  /**
   * Resolves when the outcomes so far are in the journal. The place of an attempt is taken until then: what a crash
   * repeats is never more than may be under way.
   */
  settled(): Promise<void>
  /** Told after each attempt and cancellation. */
  onProgress(): void
}

/** Takes deliveries through their attempts. */
export interface Runner {
  /** A queued delivery; `recovered` = it may have been sent already by an earlier run. */
  add(delivery: Delivery, recovered?: boolean): void
  /** A delivery that waits for its `nextRetryAt`. */
  awaitRetry(delivery: Delivery): void
  /** One attempt at once, beside the delivery's own course. */
  replay(delivery: Delivery, webhook: Webhook): Promise<Attempt | undefined>
  /** Cancels whatever of a webhook is not under way, in portions. */
  cancelOpen(webhookId: string, because: string): void
  cancel(delivery: Delivery, because: string): Delivery
  /** Ends a delivery that the sandbox itself failed on, so that no start finds it again. */
  giveUp(deliveryId: string, message: string): void
  /** Looks for what can be started, after a webhook has changed. */
  pump(): void
  /** Queued deliveries that cannot start before the head of their ordered line is through. */
  blockedCount(): number
  hasDue(): boolean
  /** Replays that are under way: they do not show in the states. */
  replays(): number
  /** Starts nothing any more. */
  stop(): void
  clear(): void
}

const portion = 200
/** Retries that are this late although nobody moved the clock were slept through by the machine. */
const sleptMs = 5000

export function createRunner(
  { state, clock, bus, ids }: Pick<Deps, 'state' | 'clock' | 'bus' | 'ids'>,
  options: RunnerOptions,
): Runner {
  const { log, attempts, retention, profile, realTime } = options
  const queues = createQueues(
    options.limits,
    (webhookId) => state.webhooks.get(webhookId)?.order ?? 'parallel',
    () => ids.random(),
  )
  const timer = createRetryTimer(clock, realTime, resume)
  const recovered = new Set<string>()
  const replays = new Set<object>()
  // Attempts under way, by their delivery; and deliveries whose turn came meanwhile.
  const underWay = new Map<string, number>()
  const overdue = new Set<string>()
  let pumping = false
  let stopped = false
  let generation = 0

  function pump(): void {
    if (pumping || stopped) return
    for (let count = 0; count < portion; count++) {
      const next = queues.take()
      if (next === undefined) return
      begin(next.webhookId, next.deliveryId)
    }
    pumping = true
    realTime.soon(() => {
      pumping = false
      goOn()
    })
  }

  function goOn(): void {
    inBackground(options.report, 'sending deliveries', () => {
      pump()
      options.onProgress()
    })
  }

  /** Takes one through its next attempt; whatever happens, the place it took is free again. */
  function begin(webhookId: string, deliveryId: string): void {
    const startedIn = generation
    function freePlace(): void {
      if (generation === startedIn) queues.done(webhookId)
    }
    inBackground(
      options.report,
      `delivery ${deliveryId}`,
      () => {
        const started = start(webhookId, deliveryId)
        if (started === undefined) freePlace()
        return started?.then(() => {
          freePlace()
          goOn()
        })
      },
      (message) => {
        freePlace()
        giveUp(deliveryId, message)
        goOn()
      },
    )
  }

  /** @returns `undefined` when there is nothing to send */
  function start(webhookId: string, deliveryId: string): Promise<void> | undefined {
    const delivery = state.deliveries.get(deliveryId)
    const webhook = state.webhooks.get(webhookId)
    const source = delivery?.state === 'queued' ? sourceOf(delivery) : undefined
    if (delivery === undefined || source === undefined || !mayBeSent(delivery, webhook)) {
      return undefined
    }
    if (underWay.has(deliveryId)) {
      overdue.add(deliveryId)
      return undefined
    }
    recovered.delete(deliveryId)
    return run(delivery, webhook, source).then(() => options.settled())
  }

  function giveUp(deliveryId: string, message: string): void {
    const delivery = state.deliveries.get(deliveryId)
    if (delivery === undefined || delivery.finishedAt !== undefined) return
    cancel(delivery, `the sandbox failed on it: ${message}`)
  }

  /** Looks at the webhook as it is now; what may not be sent is put where it belongs. */
  function mayBeSent(delivery: Delivery, webhook: Webhook | undefined): webhook is Webhook {
    const because = refusal(delivery, webhook)
    if (because !== undefined) cancel(delivery, because)
    else if (webhook !== undefined && options.isHeld(webhook)) {
      log.move(delivery.id, { kind: 'held' })
    } else return true
    return false
  }

  function refusal(delivery: Delivery, webhook: Webhook | undefined): string | undefined {
    if (webhook === undefined) return 'the webhook was deleted'
    if (webhook.status === 'disabled') return 'the webhook is disabled'
    if (webhook.status === 'suspended-after-failure') return 'the webhook is suspended'
    if (!state.users.has(webhook.ownerId)) return 'the owner of the webhook no longer exists'
    return options.isVisible(delivery, webhook)
      ? undefined
      : 'the owner of the webhook can no longer read the repository'
  }

  function sourceOf(delivery: Delivery): AttemptSource {
    if (recovered.has(delivery.id)) return 'recovered'
    return delivery.tries === 0 ? 'auto' : 'retry'
  }

  async function run(delivery: Delivery, webhook: Webhook, source: AttemptSource): Promise<void> {
    try {
      const concluded = await attempt(delivery, webhook, source)
      const present = state.deliveries.get(delivery.id)
      if (concluded !== undefined && present !== undefined) conclude(present, concluded)
    } finally {
      leave(delivery)
    }
    retention.enforce()
  }

  /** One attempt; while it is under way the delivery stays in the log and no other of its own course begins. */
  async function attempt(
    delivery: Delivery,
    webhook: Webhook,
    source: AttemptSource,
  ): Promise<ConcludedAttempt | undefined> {
    const { id } = delivery
    const unprotect = retention.protect(id)
    underWay.set(id, (underWay.get(id) ?? 0) + 1)
    return attempts.start(delivery, webhook, source).finally(unprotect)
  }

  /** To be called when an attempt has had its effect: a turn that came meanwhile is taken now. */
  function leave({ id, webhookId }: Delivery): void {
    const others = (underWay.get(id) ?? 1) - 1
    if (others > 0) {
      underWay.set(id, others)
      return
    }
    underWay.delete(id)
    if (!overdue.delete(id)) return
    if (state.webhooks.get(webhookId)?.order === 'ordered') queues.addFirst(webhookId, id)
    else queues.add(webhookId, id)
    pump()
  }

  function conclude(delivery: Delivery, concluded: ConcludedAttempt): void {
    const { attempt, retryAfterMs, isFinal } = concluded
    const { error, status } = attempt
    if (error === undefined) {
      if (mayHappen(delivery, 'succeeded')) log.move(delivery.id, { kind: 'succeeded', attempt })
      queues.unblock(delivery.webhookId, delivery.id)
      judge(delivery.webhookId, withoutFailures)
    } else if (!mayHappen(delivery, 'failed')) {
      // Cancelled, taken up again, or a replay got through meanwhile: this attempt no longer decides.
      return
    } else if (error.class === 'aborted_by_shutdown') {
      log.move(delivery.id, { kind: 'interrupted' })
    } else {
      const failed = {
        error: error.class,
        ...omitUndefined({ status, retryAfterMs }),
      }
      const wait = isFinal
        ? undefined
        : nextRetryDelay(profile, delivery.tries + 1, failed, ids.random())
      const because = refusal(delivery, state.webhooks.get(delivery.webhookId))
      if (wait === undefined) {
        log.move(delivery.id, { kind: 'failed', attempt })
        queues.unblock(delivery.webhookId, delivery.id)
      } else if (because !== undefined) cancel(delivery, because)
      else {
        const nextRetryAt = clock.now() + wait
        awaitRetry(log.move(delivery.id, { kind: 'rescheduled', nextRetryAt }))
      }
      const failure = {
        deliveryId: delivery.id,
        at: attempt.at,
        error,
        ...omitUndefined({ status }),
        isLast: wait === undefined,
      }
      judge(delivery.webhookId, (webhook) => afterFailure(webhook, failure, profile, clock.now()))
    }
  }

  /** A replay decides only what is not under way otherwise, and was not cancelled during it. */
  function concludeReplay(before: Delivery, present: Delivery, attempt: Attempt): void {
    if (present.state === 'cancelled' && before.state !== 'cancelled') return
    // An edited replay has no course but this.
    const isOwn = present.derivedFrom !== undefined && present.state === 'sending'
    if (attempt.error !== undefined) {
      if (isOwn) log.move(present.id, { kind: 'failed', attempt })
      return
    }
    const kind = isOwn ? 'succeeded' : 'replaySucceeded'
    if (!mayHappen(present, kind)) return
    log.move(present.id, { kind, attempt })
    queues.unblock(present.webhookId, present.id)
    pump()
  }

  /** Lets the end of an attempt count for or against its webhook. */
  function judge(webhookId: string, verdict: (webhook: Webhook) => Webhook): void {
    const before = state.webhooks.get(webhookId)
    if (before === undefined) return
    const after = verdict(before)
    if (after === before) return
    state.webhooks.put(after)
    if (after.status === before.status) return
    if (after.status === 'suspended-after-failure') {
      bus.emit('webhook.suspended', {
        webhookId: after.id,
        reason: after.suspendedBecause ?? '',
      })
    } else bus.emit('webhook.updated', { webhookId: after.id, changed: ['status'] })
  }

  function awaitRetry(delivery: Delivery): void {
    if (delivery.nextRetryAt === undefined) return
    const webhook = state.webhooks.get(delivery.webhookId)
    if (webhook?.order === 'ordered') queues.block(delivery.webhookId, delivery.id)
    timer.add({ deliveryId: delivery.id, at: delivery.nextRetryAt })
  }

  function resume(due: readonly DueRetry[], wasMoved: boolean): void {
    for (const { deliveryId, at } of due) {
      inBackground(
        options.report,
        `the retry of delivery ${deliveryId}`,
        () => resumeOne(deliveryId, at, wasMoved),
        (message) => giveUp(deliveryId, message),
      )
    }
    goOn()
  }

  function resumeOne(deliveryId: string, at: number, wasMoved: boolean): void {
    const delivery = state.deliveries.get(deliveryId)
    if (delivery?.state !== 'waiting' || delivery.nextRetryAt !== at) return
    if (!wasMoved && clock.now() - at > sleptMs) {
      const nextRetryAt = clock.now() + Math.floor(ids.random() * sleptMs)
      awaitRetry(log.move(deliveryId, { kind: 'postponed', nextRetryAt }))
      return
    }
    const queued = log.move(deliveryId, { kind: 'due' })
    const isHead = state.webhooks.get(delivery.webhookId)?.order === 'ordered'
    queues.unblock(queued.webhookId, queued.id)
    if (isHead) queues.addFirst(queued.webhookId, queued.id)
    else queues.add(queued.webhookId, queued.id)
  }

  function cancel(delivery: Delivery, because: string): Delivery {
    const cancelled = log.move(delivery.id, { kind: 'cancelled', because })
    queues.unblock(delivery.webhookId, delivery.id)
    return cancelled
  }

  function cancelSome(deliveryIds: readonly string[], because: string): void {
    for (const id of deliveryIds.slice(0, portion)) {
      const delivery = state.deliveries.get(id)
      if (delivery !== undefined && delivery.finishedAt === undefined) {
        if (delivery.state !== 'sending') cancel(delivery, because)
      }
    }
    retention.enforce()
    const rest = deliveryIds.slice(portion)
    if (rest.length > 0) {
      realTime.soon(() => {
        inBackground(options.report, 'cancelling deliveries', () => cancelSome(rest, because))
      })
    }
    pump()
    options.onProgress()
  }

  return {
    add(delivery, isRecovered = false) {
      if (isRecovered) recovered.add(delivery.id)
      queues.add(delivery.webhookId, delivery.id)
      pump()
    },
    awaitRetry,
    async replay(delivery, webhook) {
      const replay = {}
      replays.add(replay)
      let concluded: ConcludedAttempt | undefined
      try {
        concluded = await attempt(delivery, webhook, 'replay')
        replays.delete(replay)
        const present = state.deliveries.get(delivery.id)
        if (concluded !== undefined && present !== undefined) {
          concludeReplay(delivery, present, concluded.attempt)
        }
      } finally {
        replays.delete(replay)
        leave(delivery)
      }
      retention.enforce()
      options.onProgress()
      return concluded?.attempt
    },
    cancel(delivery, because) {
      const cancelled = cancel(delivery, because)
      pump()
      options.onProgress()
      return cancelled
    },
    giveUp,
    cancelOpen(webhookId, because) {
      cancelSome(
        state.deliveries.group('open', webhookId).map(({ id }) => id),
        because,
      )
    },
    pump,
    blockedCount() {
      let count = 0
      for (const id of queues.blocked()) if (state.deliveries.get(id)?.state === 'queued') count++
      return count
    },
    hasDue: timer.hasDue,
    replays: () => replays.size,
    stop() {
      stopped = true
      timer.close()
    },
    clear() {
      generation++
      queues.clear()
      timer.clear()
      recovered.clear()
      replays.clear()
      underWay.clear()
      overdue.clear()
    },
  }
}
