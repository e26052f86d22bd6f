import { inBackground, type Report, warn } from '../../../core/background.ts'
import type { RealTime } from '../../../core/real-time.ts'
import type { Deps } from '../../deps.ts'
import type { HubEvent } from '../../events/hub-event.ts'
import type { Webhook } from '../../../store/entities/webhook-entities.ts'
import { createAttemptLog } from '../delivery/attempt-log.ts'
import { createBacklog } from '../delivery/backlog.ts'
import { createDeliveryLog } from '../delivery/delivery-log.ts'
import { type DeliveryProfile, profileNamed } from '../delivery/profiles.ts'
import { createRetention } from '../delivery/retention.ts'
import { createAttempts, type Intercept, type JobStarter } from '../delivery/send-attempt.ts'
import type { DeliveryWire } from '../../../web/outgoing/wire.ts'
import { createMatchWorld } from '../publish/match-world.ts'
import {
  type BacklogLimits,
  createPublisher,
  type PayloadPatch,
  type Published,
  type Publisher,
} from '../publish/publisher.ts'
import { createQuotas, type QuotaUsage } from '../publish/quota.ts'
import { type AwaitedReceivers, createAwaitedReceivers } from './awaited-receivers.ts'
import { createCommitGate } from './commit-gate.ts'
import { createDeliveriesByHand, type DeliveriesByHand } from './deliveries-by-hand.ts'
import { createDispatcher } from './dispatcher.ts'
import { createHolding, type Holding } from './holding.ts'
import { createIdleWaiters, isIdle, listOutstanding, type Outstanding } from './engine-idle.ts'
import { createProbes, type Probes } from './probes.ts'
import type { QueueLimits } from './queues.ts'
import { resumeOpen } from './engine-recovery.ts'

export interface EngineOptions {
  /** Resolves when all changes so far are in the journal; no delivery is sent before that. */
  committed: () => Promise<void> | undefined
  wire: DeliveryWire
  jobs: JobStarter
  realTime: RealTime
  /** Returns the reason, as a sentence, when deliveries of a webhook have to wait. */
  pausedBecause?: (webhook: Webhook) => string | undefined
  /** Returns the reason, as a sentence, when all deliveries have to wait. */
  stoppedBecause?: () => string | undefined
  /** Returns the delivery whose job has the token of the call that is under way. Default: none. */
  jobDeliveryId?: () => string | undefined
  /** Fault rules. */
  intercept?: Intercept
  /** Default: the profile named in the settings. */
  profile?: DeliveryProfile
  /** Default: 4 per webhook, 32 overall. */
  concurrency?: QueueLimits
  /** Default: half of the limits for waiting deliveries in the settings. */
  backlog?: BacklogLimits
  /** Receives errors that no caller waits for. Default: a process warning. */
  onProblem?: Report
}

export interface IdleOptions {
  /** Real time. */
  timeoutMs: number
  /** Waits for deliveries that wait for a retry as well. */
  waiting?: boolean
}

/** Delivers Hub events to webhooks, at least once each and started in the order of the events. */
export interface WebhookEngine
  extends
    Pick<Publisher, 'match' | 'isOverloaded'>,
    DeliveriesByHand,
    Holding,
    AwaitedReceivers,
    Probes {
  /** Runs `act` and returns the deliveries of the events that it emitted; `patch` changes their payloads. */
  collect: <T>(act: () => T, patch?: PayloadPatch) => { value: T; published: Published[] }
  /** Returns whether the engine became idle in time. */
  idle: (options: IdleOptions) => Promise<boolean>
  outstanding: (limit?: number) => Outstanding
  usage: (webhookId: string) => QuotaUsage
  /** Returns why no receiver can exist at a URL, and a fix; `undefined` when one can. */
  findTargetProblem: (url: URL) => string | undefined
  /** Resumes the open deliveries of the state, then listens to the bus. */
  start: () => void
  /** Aborted when the engine is closed or reset, to cancel what was planned for later. */
  lifetime: () => AbortSignal
  /** Starts no more attempts, waits up to `graceMs` for those in flight, then aborts them. */
  close: (graceMs: number) => Promise<void>
  /** Drops all queues and resumes the open deliveries; to be called after the state was replaced. */
  reset: () => void
}

export type EngineDeps = Pick<Deps, 'settings' | 'clock' | 'ids' | 'state' | 'bus'>

const defaultConcurrency: QueueLimits = { perWebhook: 4, overall: 32 }

const whyCancelled: Record<Webhook['status'], string | undefined> = {
  enabled: undefined,
  disabled: 'the webhook was disabled',
  'suspended-after-failure': 'the webhook was suspended',
}

export function createWebhookEngine(deps: EngineDeps, options: EngineOptions): WebhookEngine {
  const { state, clock, bus, settings } = deps
  const { committed, jobs, realTime, wire } = options
  const { stoppedBecause = () => undefined, pausedBecause = () => undefined } = options
  const {
    onProblem: report = warn,
    profile = profileNamed(settings.deliveryProfile),
    concurrency = defaultConcurrency,
    intercept = (_attempt, send) => send(),
    jobDeliveryId = () => undefined,
  } = options
  const { waitingDeliveries, waitingBytes } = settings.caps

  const { retention, backlog, log, attemptLog } = createLogs(deps)
  const quotas = createQuotas(profile.quota, clock)
  const idleWaiters = createIdleWaiters(realTime)
  const holding = createHolding(deps, (webhook) => stoppedBecause() ?? pausedBecause(webhook))
  const isHeld = (webhook: Webhook) => holding.heldBecause(webhook) !== undefined
  const attempts = createAttempts(deps, attemptLog, {
    profile,
    jobs,
    pausedBecause: holding.pausedBecause,
    send: wire.post,
    intercept,
  })

  // The way of an event: publisher → commit gate → dispatcher → attempt.
  const publisher = createPublisher(deps, {
    log,
    backlog,
    retention,
    quotas,
    realTime,
    report,
    isHeld,
    jobDeliveryId,
    world: createMatchWorld(deps, {
      isBlocked: (url) => wire.isBlocked(url),
      hasQuota: (webhook) => quotas.allows(webhook.id),
    }),
    limits: options.backlog ?? { deliveries: waitingDeliveries / 2, bytes: waitingBytes / 2 },
    admit: ({ id }) => gate.add(id),
    cancel: (delivery, because) => void dispatcher.cancel(delivery, because),
  })
  const gate = createCommitGate<string>(realTime, committed, report, (id) => {
    const delivery = state.deliveries.get(id)
    if (delivery?.state === 'queued') dispatcher.add(delivery)
    // Behind a retry of an ordered webhook the delivery is not started, and the engine is idle.
    idleWaiters.check()
  })
  const dispatcher = createDispatcher(deps, {
    log,
    attempts,
    retention,
    profile,
    realTime,
    report,
    isHeld,
    limits: concurrency,
    settled: () => reportFailure(committed, report),
    onProgress() {
      publisher.drain()
      idleWaiters.check()
    },
  })

  const { publish, collect } = createCollector(publisher)

  /** Cancels, releases or starts the open deliveries of a webhook after it has changed. */
  function followWebhook(webhookId: string): void {
    const webhook = state.webhooks.get(webhookId)
    const because = webhook === undefined ? 'the webhook was deleted' : whyCancelled[webhook.status]
    if (because !== undefined) dispatcher.cancelOpen(webhookId, because)
    else if (webhook !== undefined && !isHeld(webhook)) publisher.release(webhookId)
    if (webhook === undefined) quotas.forget(webhookId)
    dispatcher.run()
  }

  const probes = createProbes(deps, { send: wire.post, realTime, isClosed: () => isClosed })
  const byHand = createDeliveriesByHand(
    { ...deps, probed: probes.probed },
    {
      log,
      dispatcher,
      committed,
      admit: ({ id }) => gate.add(id),
      isClosed: () => isClosed,
      heldBecause: holding.heldBecause,
      limits: concurrency,
      stoppedBecause,
    },
  )
  const awaited = createAwaitedReceivers(deps, { realTime, report, ...byHand })

  function resume(): void {
    retention.recount()
    backlog.recount()
    quotas.recount(state.deliveries.values())
    resumeOpen(state, { log, attemptLog, dispatcher, places: concurrency.perWebhook, report })
    awaited.resume()
    for (const { id } of state.webhooks.values()) {
      inBackground(report, `resuming webhook ${id}`, () => followWebhook(id))
    }
  }

  let isClosed = false
  let life = new AbortController()

  return {
    match: publisher.match,
    isOverloaded: publisher.isOverloaded,
    collect,
    ...byHand,
    ...probes,
    ...awaited.receivers,
    ...holding,
    idle({ timeoutMs, waiting = false }) {
      const isReady = () => isIdle(deps, attempts, dispatcher, publisher, waiting)
      return idleWaiters.wait(isReady, isClosed ? 0 : timeoutMs)
    },
    outstanding: (limit) => listOutstanding(deps, attempts, limit),
    usage: quotas.usage,
    findTargetProblem: (url) => wire.findTargetProblem(url),
    start() {
      resume()
      const follow = ({ data }: { data: { webhookId: string } }) => followWebhook(data.webhookId)
      awaited.follow()
      bus.on('hub.event', ({ data }) => publish(data))
      bus.on('webhook.updated', follow)
      bus.on('webhook.suspended', follow)
      bus.on('webhook.deleted', follow)
    },
    lifetime: () => life.signal,
    async close(graceMs) {
      isClosed = true
      life.abort()
      dispatcher.stop()
      awaited.clear()
      idleWaiters.giveUp()
      await idleWaiters.wait(() => attempts.size === 0, graceMs)
      attempts.abort({ class: 'aborted_by_shutdown', message: 'the sandbox was stopped' })
      // The outcomes of aborted attempts are stored within this turn of the event loop.
      await new Promise<void>((resolve) => realTime.soon(resolve))
      // It still publishes: requests that a stop waits for change repos, and the next start sends their deliveries.
    },
    reset() {
      life.abort()
      life = new AbortController()
      gate.clear()
      probes.probed.clear()
      publisher.clear()
      attempts.forget()
      dispatcher.clear()
      resume()
      idleWaiters.check()
    },
  }
}

/** Creates the logs, which write every change of a delivery or an attempt. */
function createLogs(deps: EngineDeps) {
  const retention = createRetention(deps)
  const backlog = createBacklog(deps.state)
  const log = createDeliveryLog(deps, backlog, retention)
  return { retention, backlog, log, attemptLog: createAttemptLog(deps, log, retention) }
}

/** Resolves when the changes so far are in the journal, or with a report when they cannot be. */
async function reportFailure(committed: EngineOptions['committed'], report: Report): Promise<void> {
  try {
    await committed()
  } catch (error) {
    report(`an outcome could not be stored, so it may be repeated: ${String(error)}`)
  }
}

/** Publishes events, and collects the deliveries of those that a call emits. */
function createCollector(
  publisher: Pick<Publisher, 'publish'>,
): Pick<WebhookEngine, 'collect'> & { publish: (event: HubEvent) => void } {
  let collecting: { published: Published[]; patch: PayloadPatch | undefined } | undefined
  return {
    publish(event) {
      const published = publisher.publish(event, collecting?.patch)
      collecting?.published.push(published)
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
  }
}
