import { inBackground, type Report } from '../../core/background.ts'
import type { RealTime } from '../../core/real-time.ts'
import type { HubEvent } from '../../events/hub-event.ts'
import type { EngineDeps, EngineParts } from './engine-parts.ts'
import { followWebhook } from './following.ts'
import { takeUp } from './recovery.ts'

/** Where deliveries begin and end to be sent. */
export interface Lifecycle {
  /** Takes up what the state has open, then listens to the bus. */
  start: () => void
  /** Aborted when the engine is closed or reset: what is to happen later is off then. */
  lifetime: () => AbortSignal
  /** Trouble that no caller waits for. */
  report: Report
  /** Starts nothing more, waits for what is under way, and breaks it off after `graceMs`. */
  close: (graceMs: number) => Promise<void>
  /** To be called when nothing keeps deliveries back any more that did so until now. */
  goOn: () => void
  /** To be called after the state was replaced: drops everything and takes up what is open now. */
  reset: () => void
}

export function createLifecycle(
  deps: EngineDeps,
  parts: EngineParts,
  onEvent: (event: HubEvent) => void,
): Lifecycle & { isClosed: () => boolean } {
  const listening: (() => void)[] = []
  let closed = false
  let life = new AbortController()

  return {
    start() {
      takeUpAll(deps, parts)
      listening.push(...listen(deps, parts, onEvent))
    },
    lifetime: () => life.signal,
    report: parts.report,
    isClosed: () => closed,
    async close(graceMs) {
      closed = true
      life.abort()
      await windUp(parts, graceMs)
      for (const stop of listening.splice(0)) stop()
    },
    goOn: () => followAll(deps, parts),
    reset() {
      life.abort()
      life = new AbortController()
      parts.gate.clear()
      parts.publisher.clear()
      parts.attempts.forget()
      parts.runner.clear()
      takeUpAll(deps, parts)
      parts.idleWatch.look()
    },
  }
}

function listen(
  deps: EngineDeps,
  parts: EngineParts,
  onEvent: (event: HubEvent) => void,
): (() => void)[] {
  const follow = ({ data }: { data: { webhookId: string } }) => {
    followWebhook(deps, parts, data.webhookId)
  }
  return [
    deps.bus.on('hub.event', ({ data }) => onEvent(data)),
    deps.bus.on('webhook.updated', follow),
    deps.bus.on('webhook.suspended', follow),
    deps.bus.on('webhook.deleted', follow),
  ]
}

function takeUpAll(deps: EngineDeps, parts: EngineParts): void {
  const { state } = deps
  const { attemptLog, backlog, concurrency, log, quotas, report, retention, runner } = parts
  retention.recount()
  backlog.recount()
  quotas.recount(state.deliveries.values())
  takeUp(state, { log, attemptLog, runner, places: concurrency.perWebhook, report })
  followAll(deps, parts)
}

function followAll(deps: EngineDeps, parts: EngineParts): void {
  for (const { id } of deps.state.webhooks.values()) {
    inBackground(parts.report, `taking up webhook ${id}`, () => followWebhook(deps, parts, id))
  }
}

async function windUp(
  { attempts, idleWatch, realTime, runner }: EngineParts,
  graceMs: number,
): Promise<void> {
  runner.stop()
  idleWatch.giveUp()
  await idleWatch.wait(() => attempts.size === 0, graceMs)
  attempts.abort({ class: 'aborted_by_shutdown', message: 'the sandbox was stopped' })
  await nextTurn(realTime)
}

/** What was broken off is noted within the same turn. */
function nextTurn(realTime: Pick<RealTime, 'soon'>): Promise<void> {
  return new Promise((resolve) => realTime.soon(resolve))
}
