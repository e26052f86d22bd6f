import type { ControlCall } from '../server/contract/control-call.ts'
import type { TriggerRequest } from '../server/contract/control-events.ts'
import type { LiveEntry } from '../server/contract/live.ts'
import { messageOf } from '../server/core/background.ts'
import { connectControl } from './control.ts'
import { followFacts, type LiveListener } from './live.ts'
import type { OwnSandbox } from './own.ts'
import { everyWebhook } from './pausing.ts'
import type { ShownSandbox } from './sandboxes.ts'

/** Activity of a sandbox in a few numbers. */
export interface Glance {
  /** Open, without an attempt that ended. */
  pendingDeliveries: number
  /** Failed so far, and will be retried. */
  failingDeliveries: number
  /** Given up. */
  failedDeliveries: number
  failingWebhooks: number
  suspendedWebhooks: number
  pendingDevices: number
  /** Whether all deliveries are paused. */
  isPaused: boolean
  lastTrigger: TriggerRequest | undefined
}

/** The user's own sandbox, watched for as long as the app runs. */
export interface Watch {
  /** Undefined while the sandbox does not respond. */
  readonly glance: Glance | undefined
  onChange(listener: () => void): void
  onNews(listener: (entries: readonly LiveEntry[]) => void): void
  stop(): void
}

export interface WatchDeps {
  report: (line: string) => void
  connect?: (sandbox: ShownSandbox) => ControlCall
  follow?: (sandbox: ShownSandbox, listener: LiveListener) => () => void
  /** Minimum interval between two reads. */
  restMs?: number
}

export function createWatch(
  own: Pick<OwnSandbox, 'known' | 'onChange'>,
  { report, connect = connectControl, follow = followFacts, restMs = 1000 }: WatchDeps,
): Watch {
  const changeListeners: (() => void)[] = []
  const newsListeners: ((entries: readonly LiveEntry[]) => void)[] = []
  let glance: Glance | undefined
  let watched: ShownSandbox | undefined
  let leave = () => {}

  function set(next: Glance | undefined): void {
    if (JSON.stringify(next) === JSON.stringify(glance)) return
    glance = next
    for (const listener of changeListeners) listener()
  }

  function watch(sandbox: ShownSandbox): () => void {
    const call = connect(sandbox)
    const isWatched = () => watched === sandbox
    const look = createLook(restMs, async () => {
      try {
        const next = await takeGlance(call)
        if (isWatched()) set(next)
      } catch (error) {
        // The sandbox may have stopped; that is reported elsewhere.
        if (isWatched()) report(`cannot read the status of the sandbox: ${messageOf(error)}`)
      }
    })
    const end = follow(sandbox, {
      onOpen: look.soon,
      onNews(entries) {
        look.soon()
        for (const listener of newsListeners) listener(entries)
      },
      onLost: () => set(undefined),
    })
    return () => {
      look.stop()
      end()
    }
  }

  own.onChange(() => {
    if (own.known === watched) return
    leave()
    watched = own.known
    set(undefined)
    leave = watched === undefined ? () => {} : watch(watched)
  })

  return {
    get glance() {
      return glance
    },
    onChange: (listener) => void changeListeners.push(listener),
    onNews: (listener) => void newsListeners.push(listener),
    stop() {
      leave()
      leave = () => {}
      watched = undefined
    },
  }
}

/** Reads at once, and again after the interval if anything changed meanwhile. */
function createLook(restMs: number, look: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let isWanted = false
  let isLooking = false

  async function begin(): Promise<void> {
    isLooking = true
    isWanted = false
    await look()
    isLooking = false
    timer = setTimeout(() => {
      timer = undefined
      if (isWanted) void begin()
    }, restMs)
    timer.unref()
  }
  return {
    soon: () => {
      isWanted = true
      if (!isLooking && timer === undefined) void begin()
    },
    stop: () => clearTimeout(timer),
  }
}

/** Reads the numbers of a sandbox. */
export async function takeGlance(call: ControlCall): Promise<Glance> {
  const [overview, webhooks, { request }] = await Promise.all([
    call('GET overview'),
    everyWebhook(call),
    call('GET events/last'),
  ])
  return {
    pendingDeliveries: overview.deliveries.pending,
    failingDeliveries: overview.deliveries.failing,
    failedDeliveries: overview.deliveries.failed,
    failingWebhooks: overview.failingWebhooks,
    suspendedWebhooks: overview.suspendedWebhooks,
    pendingDevices: overview.counts.pendingDevices,
    isPaused: webhooks.length > 0 && webhooks.every(({ held }) => held),
    lastTrigger: request,
  }
}
