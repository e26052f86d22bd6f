import type { QueryClient } from '@tanstack/react-query'
import type { LiveEntry, LiveType } from '../../server/contract/live.ts'
import { setClockReading } from '../lib/sandbox-clock.ts'
import {
  refreshAudited,
  refreshDeliveryList,
  restartLiveRows,
  updateDeliveryList,
} from './delivery-cache.ts'
import { isDeliveryEntry } from './delivery-rows.ts'
import type { LiveConnection } from './live.ts'
import type { LiveHistory } from './live-history.ts'
import type { Resource } from './query.ts'

/** Resources that a fact makes stale, by the first part of its name. */
const concerns: ReadonlyMap<string, readonly Resource[]> = new Map(
  Object.entries<readonly Resource[]>({
    // A request to an inference endpoint delays the time at which it scales to zero.
    request: ['requests', 'demos', 'experiments', 'inference-endpoints'],
    advice: ['advice'],
    session: ['sessions'],
    authorization: ['consents'],
    consent: ['consents', 'tokens'],
    // A device that fetched its token has used its code.
    token: ['tokens', 'apps', 'trusted-publishers', 'device', 'overrides'],
    device: ['device', 'overrides'],
    app: ['apps'],
    publisher: ['trusted-publishers'],
    key: ['keys'],
    audit: ['audit-log', 'audits'],
    hub: ['repos', 'collections'],
    collection: ['collections'],
    endpoint: ['inference-endpoints'],
    schedule: ['scheduled-jobs'],
    access: ['repos'],
    webhook: ['webhooks', 'links', 'issues'],
    job: ['jobs', 'scheduled-jobs'],
    account: [
      'users',
      'organizations',
      'flows',
      'collections',
      'inference-endpoints',
      'scheduled-jobs',
    ],
    fault: ['faults', 'overrides', 'experiments'],
    barrier: ['barriers', 'overrides', 'experiments'],
    snapshot: ['snapshots'],
    // SPACE_HOST of an app is that of its frame.
    frame: ['space-frames', 'apps'],
    sandbox: ['overrides', 'clock'],
  }),
)

/** Facts that make sign-ins stale, by the first part of their names. Suggested fixes depend on apps and members. */
const flowFacts: ReadonlySet<string> = new Set([
  'request',
  'authorization',
  'device',
  'token',
  'clock',
  'app',
  'account',
  'frame',
])

/** Token histories list requests; the list of tokens does not. */
function isTokenHistory({ queryKey: [resource, path] }: { queryKey: readonly unknown[] }): boolean {
  return resource === 'tokens' && String(path).endsWith('/history')
}

/** Shortest interval between two reloads of a list. */
const refreshMs = 300
/** Shortest interval between two reloads of the overview because of requests alone, which change its counts, and of the checks. */
const countsMs = 2000
/** Shortest interval between two reloads of sign-ins, which people watch live. */
const watchedMs = 50
/** Delay of the sums of deliveries, within which most attempts end, and shortest interval between two reloads. */
const sumsMs = { wait: 100, rest: 600 }

/**
 * Applies the live feed to loaded data: deliveries at once and without a request, everything else by reloading it
 * soon.
 * @returns a function that stops it
 */
export function followLive(
  connection: LiveConnection,
  history: LiveHistory,
  client: QueryClient,
): () => void {
  const stale = new Set<Resource>()
  const staleDeliveries = new Set<string>()
  const flows = createWatch(() => client.invalidateQueries({ queryKey: ['flows'] }), {
    wait: 0,
    rest: watchedMs,
  })
  let hasMoved = false
  const deliveries = createWatch(() => {
    const moved = hasMoved
    hasMoved = false
    return refreshDeliveryList(client, moved)
  }, sumsMs)
  let timer: ReturnType<typeof setTimeout> | undefined
  let countsTimer: ReturnType<typeof setTimeout> | undefined
  /** Sequence number of the newest applied fact: a replay after a reconnect must not apply it twice. */
  let lastSeq = 0

  function refresh(): void {
    timer = undefined
    for (const resource of stale) {
      const queryKey = [resource]
      // Facts may arrive faster than a long list loads; restarting each time would never finish.
      if (client.isFetching({ queryKey }) > 0) continue
      stale.delete(resource)
      void client.invalidateQueries({ queryKey })
      if (resource === 'requests') void client.invalidateQueries({ predicate: isTokenHistory })
    }
    for (const id of staleDeliveries) {
      void client.invalidateQueries({ queryKey: ['deliveries', id] })
    }
    staleDeliveries.clear()
    if (stale.size > 0) timer = setTimeout(refresh, refreshMs)
  }

  function refreshCounts(): void {
    countsTimer = undefined
    stale.add('overview').add('advice')
    timer ??= setTimeout(refresh, refreshMs)
  }

  function restart(): void {
    lastSeq = 0
    restartLiveRows(client)
    void client.invalidateQueries()
  }

  function follow(entries: readonly LiveEntry[]): void {
    if (entries.length === 0) return
    hasMoved = updateDeliveryList(client, entries) || hasMoved
    for (const entry of entries) {
      if (flowFacts.has(prefix(entry.type))) flows.refresh()
      if (entry.type === 'clock.changed') setClockReading(entry.data)
      if (entry.type === 'clock.changed')
        stale
          .add('clock')
          .add('tokens')
          .add('device')
          .add('overrides')
          .add('inference-endpoints')
          .add('scheduled-jobs')
      if (entry.type === 'audit.progress') {
        void refreshAudited(client)
      }
      if (isDeliveryEntry(entry)) {
        deliveries.refresh()
        if (entry.type !== 'delivery.skipped') staleDeliveries.add(entry.data.deliveryId)
        // A request extends the link of a hosted receiver.
        stale.add('webhooks').add('links').add('issues').add('overview')
        countsTimer ??= setTimeout(refreshCounts, countsMs)
      } else {
        for (const resource of concerns.get(prefix(entry.type)) ?? []) stale.add(resource)
        if (entry.type !== 'request.completed' || isSignIn(entry)) stale.add('overview')
        countsTimer ??= setTimeout(refreshCounts, countsMs)
      }
    }
    timer ??= setTimeout(refresh, refreshMs)
  }

  let replayed = false
  const stop = connection.onMessage((message) => {
    history.add(message)
    const reset = message.entries.some(({ type }) => type === 'sandbox.reset')
    // Data read before the feed began may miss facts in between.
    if (message.gap || reset || !replayed) restart()
    const fresh = message.entries.filter(({ seq }) => seq > lastSeq)
    lastSeq = message.entries.at(-1)?.seq ?? lastSeq
    if (replayed) follow(fresh)
    replayed = true
  })
  return () => {
    stop()
    flows.stop()
    deliveries.stop()
    clearTimeout(timer)
    clearTimeout(countsTimer)
  }
}

/** Reloads after `wait`; facts that arrive meanwhile, and for `rest` or twice as long as it took, share one further reload. */
function createWatch(read: () => Promise<void>, { wait, rest }: { wait: number; rest: number }) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isBusy = false
  let isStale = false
  function refresh(): void {
    isStale = isBusy
    if (isBusy) return
    isBusy = true
    if (wait === 0) reload()
    else timer = setTimeout(reload, wait)
  }
  function reload(): void {
    isStale = false
    const began = performance.now()
    void read().finally(() => {
      timer = setTimeout(goOn, Math.max(rest, 2 * (performance.now() - began)))
    })
  }
  function goOn(): void {
    isBusy = false
    if (isStale) refresh()
  }
  return { refresh, stop: () => clearTimeout(timer) }
}

/** Tells whether a request may decide a sign-in. */
function isSignIn({ data: { path } }: Extract<LiveEntry, { type: 'request.completed' }>): boolean {
  return path.startsWith('/oauth/')
}

function prefix(type: LiveType): string {
  return type.slice(0, type.indexOf('.'))
}
