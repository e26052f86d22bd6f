import { inBackground, warn } from '../core/background.ts'
import type { RealTime } from '../core/real-time.ts'
import type { Deps } from '../events/deps.ts'
import { Refusal } from '../core/refusal.ts'
import type { HubEvent } from '../events/hub-event.ts'
import type { Attempt, Delivery, Webhook } from '../state/entities/webhooks.ts'
import { createAttempts, type Intercept, type JobStarter } from './attempts.ts'
import { createAttemptLog } from './attempt-log.ts'
import { createBacklog } from './backlog.ts'
import { createCommitGate } from './commit-gate.ts'
import type { Send } from './sending.ts'
import { createDeliveryLog } from './delivery-log.ts'
import { createIdleWatch } from './idle-watch.ts'
import type { Match } from './match.ts'
import { createMatchWorld } from './match-world.ts'
import { freezePayload, largestBodyBytes } from './payload.ts'
import { explainHeld } from './explain.ts'
import { type DeliveryProfile, profileNamed } from './profiles.ts'
import {
  type BacklogLimits,
  createPublisher,
  type PayloadPatch,
  type Published,
} from './publisher.ts'
import type { QueueLimits } from './queues.ts'
import { createQuotas, type QuotaUsage } from './quota.ts'
import { takeUp } from './recovery.ts'
import { createRetention } from './retention.ts'
import { createRunner } from './runner.ts'

/** What leads out of the sandbox, as far as deliveries go. */
export interface DeliveryWire {
  readonly post: Send
  /** Whether the sandbox refuses to call a URL, as far as that is known without a resolver. */
  isBlocked(url: string): boolean
  /** Why nothing can ever answer at a URL, with what to give instead. */
  findTargetProblem(url: URL): string | undefined
}

export interface EngineOptions {
  /** Resolves when the changes so far are in the journal; nothing is sent before. */
  committed: () => Promise<void> | undefined
  wire: DeliveryWire
  jobs: JobStarter
  realTime: RealTime
  /** Why nothing can be sent to a webhook for now, as a sentence: its deliveries wait. */
  pausedBecause?: (webhook: Webhook) => string | undefined
  /** Fault rules. */
  intercept?: Intercept
  /** Default: the one that the settings name. */
  profile?: DeliveryProfile
  /** Default 4 per webhook, 32 overall. */
  concurrency?: QueueLimits
  /** Default 50,000 deliveries or 64 MiB of bodies. */
  backlog?: BacklogLimits
  /** Told of trouble that no caller waits for. Default: a process warning. */
  onProblem?: (message: string) => void
}

export interface IdleOptions {
  /** Real time. */
  timeoutMs: number
  /** Waits for deliveries that wait for a retry, too. */
  waiting?: boolean
}

/** What stands between now and quiet. */
export interface Outstanding {
  queued: number
  sending: number
  waiting: number
  held: number
  /** The first of those that are queued, sent or wait, the oldest first. */
  deliveries: Pick<Delivery, 'id' | 'webhookId' | 'state' | 'nextRetryAt'>[]
}

/** Delivers the hub's events to webhooks: at least once, in the order of the events, and explained. */
export interface WebhookEngine {
  /** Takes up what the state has open, then listens to the bus. */
  start(): void
  /** Runs `act` and tells what the events it emitted came to; `patch` alters their payloads. */
  collect<T>(act: () => T, patch?: PayloadPatch): { value: T; published: Published[] }
  /** Which webhooks an event would reach, and why it would not reach the others. */
  match(event: HubEvent): { webhook: Webhook; match: Match }[]
  /**
   * Sends a delivery once more: same bytes, present URL and secret, no retries, no use of quota.
   * @throws {Refusal} `not_found` when there is no such delivery, `conflict` when its webhook is gone
   */
  replay(deliveryId: string): Promise<Attempt>
  /** Sends an altered payload, as a delivery of its own that is marked as derived. */
  replayEdited(deliveryId: string, payload: unknown): Promise<Attempt>
  /** @throws {Refusal} `not_found` when there is no such delivery, `conflict` when it is finished */
  cancel(deliveryId: string): Delivery
  /** Lets the deliveries of a webhook wait until they are released. */
  hold(webhookId: string): void
  release(webhookId: string): void
  /**
   * Starts failed and cancelled deliveries again, of one webhook or of all, but no edited replays. One that an
   * attempt is still under way for is sent when that has ended, unless it succeeded.
   * @param since milliseconds since 1970 on the sandbox clock; what was made before stays as it is
   * @returns those that are queued again
   */
  recover(query: { since: number; webhookId?: string }): Delivery[]
  /** @returns whether it became quiet in time */
  idle(options: IdleOptions): Promise<boolean>
  outstanding(limit?: number): Outstanding
  usage(webhookId: string): QuotaUsage
  /** Why deliveries of a webhook wait, as a sentence; `undefined` when they need not. */
  heldBecause(webhook: Webhook): string | undefined
  /** Why nothing can be sent to a webhook for now, as a sentence. */
  pausedBecause(webhook: Webhook): string | undefined
  /** Why nothing can ever answer at a URL, with what to give instead. */
  findTargetProblem(url: URL): string | undefined
  /** Whether so much waits that nothing more should be triggered by hand. */
  isOverloaded(): boolean
  /** Aborted when the engine is closed or reset: what is to happen later is off then. */
  lifetime(): AbortSignal
  /** Trouble that no caller waits for. */
  report(message: string): void
  /** Starts nothing more, waits for what is under way, and breaks it off after `graceMs`. */
  close(graceMs: number): Promise<void>
  /** To be called after the state was replaced: drops everything and takes up what is open now. */
  reset(): void
}

export function createWebhookEngine(
  deps: Pick<Deps, 'settings' | 'clock' | 'ids' | 'state' | 'bus'>,
  options: EngineOptions,
): WebhookEngine {
  const { state, bus, clock, settings } = deps
  const { wire, realTime } = options
  const profile = options.profile ?? profileNamed(settings.deliveryProfile)
  const concurrency = options.concurrency ?? { perWebhook: 4, overall: 32 }
  const retention = createRetention(deps)
  const backlog = createBacklog(state)
  const log = createDeliveryLog(deps, backlog, retention)
  const attemptLog = createAttemptLog(deps, log, retention)
  const quotas = createQuotas(profile.quota, clock)
  const idleWatch = createIdleWatch(realTime)
  const report = options.onProblem ?? warn
  const pausedBecause = options.pausedBecause ?? (() => undefined)
  const heldBecause = (webhook: Webhook) =>
    pausedBecause(webhook) ?? (webhook.held === true ? explainHeld : undefined)
  const isHeld = (webhook: Webhook) => heldBecause(webhook) !== undefined
  const gate = createCommitGate<string>(realTime, options.committed, report, (id) => {
    const delivery = state.deliveries.get(id)
    if (delivery?.state === 'queued') runner.add(delivery)
  })
  const publisher = createPublisher(deps, {
    log,
    backlog,
    retention,
    quotas,
    world: createMatchWorld(deps, {
      isBlocked: (url) => wire.isBlocked(url),
      hasQuota: (webhook) => quotas.allows(webhook.id),
    }),
    limits: options.backlog ?? { deliveries: 50_000, bytes: 64 * 1024 * 1024 },
    isHeld,
    realTime,
    admit: (delivery) => gate.add(delivery.id),
    report,
  })
  const attempts = createAttempts(deps, attemptLog, {
    profile,
    jobs: options.jobs,
    pausedBecause,
    send: wire.post,
    intercept: options.intercept ?? ((_attempt, send) => send()),
  })
  const runner = createRunner(deps, {
    log,
    attempts,
    retention,
    profile,
    report,
    limits: concurrency,
    realTime,
    isHeld,
    async settled() {
      try {
        await options.committed()
      } catch (error) {
        report(`an outcome is not stored, so it may be repeated: ${String(error)}`)
      }
    },
    onProgress() {
      publisher.drain()
      idleWatch.look()
    },
  })
  const listening: (() => void)[] = []
  let collecting: { published: Published[]; patch: PayloadPatch | undefined } | undefined
  let closed = false
  let life = new AbortController()

  function publish(event: HubEvent): void {
    const published = publisher.publish(event, collecting?.patch)
    collecting?.published.push(published)
  }

  /** Brings the open deliveries of a webhook in line with what it is now. */
  function follow(webhookId: string): void {
    const webhook = state.webhooks.get(webhookId)
    if (webhook === undefined) runner.cancelOpen(webhookId, 'the webhook was deleted')
    else if (webhook.status === 'disabled') {
      runner.cancelOpen(webhookId, 'the webhook was disabled')
    } else if (webhook.status === 'suspended-after-failure') {
      runner.cancelOpen(webhookId, 'the webhook was suspended')
    } else if (!isHeld(webhook)) publisher.release(webhookId)
    runner.pump()
  }

  function takeUpAll(): void {
    retention.recount()
    backlog.recount()
    quotas.recount(state.deliveries.values())
    const placesOf = (webhookId: string) =>
      state.webhooks.get(webhookId)?.order === 'ordered' ? 1 : concurrency.perWebhook
    takeUp(state, { log, attemptLog, runner, placesOf, report })
    for (const { id } of state.webhooks.values()) {
      inBackground(report, `taking up webhook ${id}`, () => follow(id))
    }
  }

  function setHeld(webhookId: string, held: boolean): void {
    const webhook = state.webhooks.get(webhookId)
    if (webhook === undefined) throw new Refusal('not_found', 'Webhook not found')
    const { held: _held, ...rest } = webhook
    state.webhooks.put(held ? { ...rest, held } : rest)
    bus.emit('webhook.updated', { webhookId, changed: ['held'] })
  }

  function deliveryNamed(id: string): Delivery {
    const delivery = state.deliveries.get(id)
    if (delivery === undefined) throw new Refusal('not_found', 'Delivery not found')
    return delivery
  }

  async function replay(delivery: Delivery, webhook: Webhook): Promise<Attempt> {
    if (closed) throw new Refusal('shutting_down', 'The sandbox is shutting down')
    await options.committed()
    const attempt = await runner.replay(state.deliveries.get(delivery.id) ?? delivery, webhook)
    if (attempt === undefined)
      throw new Refusal('conflict', 'The sandbox was reset during the replay')
    return attempt
  }

  function webhookOf(delivery: Delivery): Webhook {
    const webhook = state.webhooks.get(delivery.webhookId)
    if (webhook === undefined) {
      throw new Refusal('conflict', 'The webhook of this delivery was deleted')
    }
    return webhook
  }

  function isQuiet(waiting: boolean): boolean {
    const { deliveries } = state
    const queued = deliveries.groupSize('state', 'queued')
    return (
      deliveries.groupSize('state', 'sending') === 0 &&
      (queued === 0 || queued === runner.blockedCount()) &&
      runner.replays() === 0 &&
      !runner.hasDue() &&
      !publisher.hasReleased() &&
      (!waiting || (queued === 0 && deliveries.groupSize('state', 'waiting') === 0))
    )
  }

  return {
    start() {
      takeUpAll()
      listening.push(
        bus.on('hub.event', ({ data }) => publish(data)),
        bus.on('webhook.updated', ({ data }) => follow(data.webhookId)),
        bus.on('webhook.suspended', ({ data }) => follow(data.webhookId)),
        bus.on('webhook.deleted', ({ data }) => follow(data.webhookId)),
      )
    },
    collect(act, patch) {
      const outer = collecting
      const own = { published: [], patch }
      collecting = own
      try {
        return { value: act(), published: own.published }
      } finally {
        collecting = outer
      }
    },
    match: publisher.match,
    async replay(deliveryId) {
      const delivery = deliveryNamed(deliveryId)
      return replay(delivery, webhookOf(delivery))
    },
    async replayEdited(deliveryId, payload) {
      const original = deliveryNamed(deliveryId)
      const webhook = webhookOf(original)
      const body = freezePayload(payload)
      if (body.bytes > largestBodyBytes) {
        const message = `payload: it has ${body.bytes} bytes; ${largestBodyBytes} are the most.`
        throw new Refusal('invalid', message, { issues: [{ path: 'payload', message }] })
      }
      const { eventId, scope, action, repoId, repo, repoType } = original
      const derived = log.create({
        webhookId: webhook.id,
        event: { id: eventId, scope, action, repo: { id: repoId, name: repo, type: repoType } },
        isSynthetic: original.synthetic === true,
        matchedBy: original.matchedBy,
        body,
        state: 'sending',
        derivedFrom: original.id,
      })
      return replay(derived, webhook)
    },
    cancel(deliveryId) {
      const delivery = deliveryNamed(deliveryId)
      if (delivery.finishedAt !== undefined) {
        throw new Refusal('conflict', `The delivery is ${delivery.state} already`)
      }
      return runner.cancel(delivery, 'cancelled by hand')
    },
    hold: (webhookId) => setHeld(webhookId, true),
    release: (webhookId) => setHeld(webhookId, false),
    recover({ since, webhookId }) {
      const candidates =
        webhookId === undefined
          ? [
              ...state.deliveries.group('state', 'failed'),
              ...state.deliveries.group('state', 'cancelled'),
            ]
          : state.deliveries.group('webhook', webhookId)
      const reopened: Delivery[] = []
      for (const delivery of candidates.toSorted((a, b) => a.seq - b.seq)) {
        if (delivery.state !== 'failed' && delivery.state !== 'cancelled') continue
        if (delivery.createdAt < since || delivery.derivedFrom !== undefined) continue
        if (state.webhooks.get(delivery.webhookId)?.status !== 'enabled') continue
        reopened.push(log.move(delivery.id, { kind: 'reopened' }))
      }
      for (const { id } of reopened) gate.add(id)
      return reopened
    },
    async idle({ timeoutMs, waiting = false }) {
      return idleWatch.wait(() => isQuiet(waiting), closed ? 0 : timeoutMs)
    },
    outstanding(limit = 100) {
      const { deliveries } = state
      const open = (['sending', 'queued', 'waiting'] as const).flatMap((name) =>
        deliveries.group('state', name).slice(0, limit),
      )
      return {
        queued: deliveries.groupSize('state', 'queued'),
        sending: deliveries.groupSize('state', 'sending'),
        waiting: deliveries.groupSize('state', 'waiting'),
        held: deliveries.groupSize('state', 'held'),
        deliveries: open.toSorted((a, b) => a.seq - b.seq).slice(0, limit),
      }
    },
    usage: quotas.usage,
    heldBecause,
    pausedBecause,
    findTargetProblem: (url) => wire.findTargetProblem(url),
    isOverloaded: publisher.isOverloaded,
    lifetime: () => life.signal,
    report,
    async close(graceMs) {
      closed = true
      life.abort()
      runner.stop()
      idleWatch.giveUp()
      await idleWatch.wait(() => attempts.size === 0, graceMs)
      attempts.abort({ class: 'aborted_by_shutdown', message: 'the sandbox was stopped' })
      await new Promise<void>((resolve) => realTime.soon(resolve))
      for (const stop of listening.splice(0)) stop()
    },
    reset() {
      life.abort()
      life = new AbortController()
      gate.clear()
      publisher.clear()
      attempts.forget()
      runner.clear()
      takeUpAll()
      idleWatch.look()
    },
  }
}
