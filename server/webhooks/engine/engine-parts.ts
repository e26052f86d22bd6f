import { type Report, warn } from '../../core/background.ts'
import type { RealTime } from '../../core/real-time.ts'
import type { Deps } from '../../events/deps.ts'
import type { Delivery, Webhook } from '../../state/entities/webhooks.ts'
import { createAttemptLog } from '../delivery/attempt-log.ts'
import { createAttempts, type Intercept, type JobStarter } from '../delivery/attempts.ts'
import { createBacklog } from '../delivery/backlog.ts'
import { createCommitGate } from './commit-gate.ts'
import { createDeliveryLog } from '../delivery/delivery-log.ts'
import { createHolding } from './holding.ts'
import { createIdleWatch } from './idle-watch.ts'
import { createMatchWorld } from '../publish/match-world.ts'
import { type DeliveryProfile, profileNamed } from '../delivery/profiles.ts'
import { type BacklogLimits, createPublisher } from '../publish/publisher.ts'
import type { QueueLimits } from './queues.ts'
import { createQuotas } from '../publish/quota.ts'
import { createRetention } from '../delivery/retention.ts'
import { createRunner } from './runner.ts'
import type { DeliveryWire } from '../delivery/sending.ts'

export interface EngineOptions {
  /** Resolves when the changes so far are in the journal; nothing is sent before. */
  committed: () => Promise<void> | undefined
  wire: DeliveryWire
  jobs: JobStarter
  realTime: RealTime
  /** Why nothing can be sent to a webhook for now, as a sentence: its deliveries wait. */
  pausedBecause?: (webhook: Webhook) => string | undefined
  /** Why nothing at all is sent for now, as a sentence. */
  stoppedBecause?: () => string | undefined
  /** Fault rules. */
  intercept?: Intercept
  /** Default: the one that the settings name. */
  profile?: DeliveryProfile
  /** Default 4 per webhook, 32 overall. */
  concurrency?: QueueLimits
  /** Default: half of what may wait by the settings. */
  backlog?: BacklogLimits
  /** Told of trouble that no caller waits for. Default: a process warning. */
  onProblem?: Report
}

export type EngineDeps = Pick<Deps, 'settings' | 'clock' | 'ids' | 'state' | 'bus'>
export type EngineParts = ReturnType<typeof createParts>

const usualConcurrency: QueueLimits = { perWebhook: 4, overall: 32 }

/** Joins what an engine is made of; nothing runs yet. */
export function createParts(deps: EngineDeps, options: EngineOptions) {
  const { state, clock, settings } = deps
  const { committed, jobs, realTime, wire } = options
  const report = options.onProblem ?? warn
  const profile = options.profile ?? profileNamed(settings.deliveryProfile)
  const concurrency = options.concurrency ?? usualConcurrency
  const { stoppedBecause = () => undefined, pausedBecause = () => undefined } = options
  const holding = createHolding(deps, (webhook) => stoppedBecause() ?? pausedBecause(webhook))
  const isHeld = (webhook: Webhook) => holding.heldBecause(webhook) !== undefined
  const records = createRecords(deps)
  const quotas = createQuotas(profile.quota, clock)
  const idleWatch = createIdleWatch(realTime)
  const gate = createCommitGate<string>(realTime, committed, report, (id) => {
    const delivery = state.deliveries.get(id)
    if (delivery?.state === 'queued') runner.add(delivery)
    // Behind the head of an ordered line it is quiet, and nothing else happens that would tell.
    idleWatch.look()
  })
  const admit = ({ id }: Delivery) => gate.add(id)
  const world = createMatchWorld(deps, {
    isBlocked: (url) => wire.isBlocked(url),
    hasQuota: (webhook) => quotas.allows(webhook.id),
  })
  const shared = { ...records, isHeld, realTime, report }
  const { waitingDeliveries, waitingBytes } = settings.caps
  const limits = options.backlog ?? { deliveries: waitingDeliveries / 2, bytes: waitingBytes / 2 }
  const cancel = (delivery: Delivery, because: string) => void runner.cancel(delivery, because)
  const publisher = createPublisher(deps, { ...shared, quotas, world, limits, admit, cancel })
  const attempts = createAttempts(deps, records.attemptLog, {
    profile,
    jobs,
    pausedBecause: holding.pausedBecause,
    send: wire.post,
    intercept: options.intercept ?? ((_attempt, send) => send()),
  })
  const runner = createRunner(deps, {
    ...shared,
    attempts,
    profile,
    limits: concurrency,
    settled: () => settle(committed, report),
    onProgress() {
      publisher.drain()
      idleWatch.look()
    },
  })
  const making = { ...shared, admit, attempts, concurrency, gate, holding, idleWatch }
  return { ...making, publisher, quotas, runner }
}

/** All that is written down, each by one writer. */
function createRecords(deps: EngineDeps) {
  const retention = createRetention(deps)
  const backlog = createBacklog(deps.state)
  const log = createDeliveryLog(deps, backlog, retention)
  return { retention, backlog, log, attemptLog: createAttemptLog(deps, log, retention) }
}

async function settle(committed: EngineOptions['committed'], report: Report): Promise<void> {
  try {
    await committed()
  } catch (error) {
    report(`an outcome is not stored, so it may be repeated: ${String(error)}`)
  }
}
