import { createDeliveriesByHand, type DeliveriesByHand } from './deliveries-by-hand.ts'
import { createParts, type EngineDeps, type EngineOptions } from './engine-parts.ts'
import type { Holding } from './holding.ts'
import { createIntake, type Intake } from './intake.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { isQuiet, listOutstanding, type Outstanding } from './quiet.ts'
import type { QuotaUsage } from '../publish/quota.ts'

export interface IdleOptions {
  /** Real time. */
  timeoutMs: number
  /** Waits for deliveries that wait for a retry, too. */
  waiting?: boolean
}

/** Delivers the hub's events to webhooks: at least once, in the order of the events, and explained. */
export interface WebhookEngine extends Intake, DeliveriesByHand, Holding, Lifecycle {
  /** @returns whether it became quiet in time */
  idle: (options: IdleOptions) => Promise<boolean>
  outstanding: (limit?: number) => Outstanding
  usage: (webhookId: string) => QuotaUsage
  /** Why nothing can ever answer at a URL, with what to give instead. */
  findTargetProblem: (url: URL) => string | undefined
}

export function createWebhookEngine(deps: EngineDeps, options: EngineOptions): WebhookEngine {
  const parts = createParts(deps, options)
  const { admit, attempts, concurrency: limits, holding, idleWatch } = parts
  const { log, publisher, quotas, runner } = parts
  const { take, ...intake } = createIntake(publisher)
  const { isClosed, ...lifecycle } = createLifecycle(deps, parts, take)
  const { committed, wire, stoppedBecause = () => undefined } = options
  return {
    ...intake,
    ...createDeliveriesByHand(deps, {
      log,
      runner,
      committed,
      admit,
      isClosed,
      limits,
      stoppedBecause,
    }),
    ...holding,
    ...lifecycle,
    async idle({ timeoutMs, waiting = false }) {
      const isIdle = () => isQuiet(deps, attempts, runner, publisher, waiting)
      return idleWatch.wait(isIdle, isClosed() ? 0 : timeoutMs)
    },
    outstanding: (limit) => listOutstanding(deps, attempts, limit),
    usage: quotas.usage,
    findTargetProblem: (url) => wire.findTargetProblem(url),
  }
}
