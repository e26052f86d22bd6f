import type { ResolvedOptions } from './config/options.ts'
import { createClock, type Clock, isClockTime } from './core/clock.ts'
import { createIds, type Ids, seededBytes } from './core/ids.ts'
import type { ServerDeps } from './core/server-deps.ts'
import type { Settings } from './core/settings.ts'
import { createBus } from './events/bus.ts'
import { createEventLog } from './events/log.ts'
import { createRequestLog } from './events/request-log.ts'
import { createJobs } from './jobs/jobs.ts'
import { runProcess } from './jobs/process.ts'
import { createDevicePolls } from './oauth/device-polls.ts'
import { seededRsaKey } from './oauth/seeded-key.ts'
import { createSigningKeys } from './oauth/signing-keys.ts'
import { createBarriers } from './sandbox-control/barriers.ts'
import { breakDeliveries } from './sandbox-control/break-deliveries.ts'
import { createFaults } from './sandbox-control/faults.ts'
import { loadFixtures } from './state/load-fixtures.ts'
import { clearState, type MetaValues, readMeta, writeMeta } from './state/meta.ts'
import type { definitions, State } from './state/state.ts'
import type { Store } from './state/store.ts'
import { createWebhookEngine } from './webhooks/engine.ts'
import { createLinks } from './webhooks/links.ts'
import type { TargetPolicy } from './webhooks/target.ts'

/** Makes the domain over an open state, and the services around it; nothing runs yet. */
export function createDeps(
  options: ResolvedOptions,
  settings: Settings,
  store: Store<typeof definitions>,
  policy: TargetPolicy,
  commandLine: ServerDeps['commandLine'],
): ServerDeps {
  const state = store.collections
  const { seed } = settings
  const generation = (readMeta(state, 'generation') ?? -1) + 1
  writeMeta(state, 'generation', generation)
  const ids: Ids = createIds(seed === undefined ? undefined : seededBytes(seed, generation))

  const clock: Clock = createClock({ initial: storedClock(state) })
  const bus = createBus(clock)
  clock.onChange((reading) => {
    const { frozen, offsetMs, now } = reading
    writeMeta(state, 'clock', frozen ? { frozenAt: now } : { offsetMs })
    bus.emit('clock.changed', reading)
  })
  const polls = createDevicePolls(clock, settings.device.intervalSeconds)
  const keys = createSigningKeys({
    state,
    clock,
    ids,
    bus,
    // Of a stream of its own, so that the moment it is made does not shift the ids.
    ...(seed === undefined ? {} : { makeKey: () => seededRsaKey(seededBytes(`${seed}:key`)) }),
  })
  const live = createEventLog(bus, ids.alphanumeric(8))
  const requests = createRequestLog(settings.caps.requests)
  const faults = createFaults({ clock, ids, bus })
  const barriers = createBarriers({ ids })
  const domain = { settings, clock, ids, state, bus, keys, polls }
  const jobs = createJobs(domain, runProcess)
  const links = createLinks(domain, policy)
  const engine = createWebhookEngine(domain, {
    committed: () => store.committed(),
    policy,
    jobs,
    intercept: breakDeliveries(faults),
  })
  const onClose: (() => void)[] = []

  const deps: ServerDeps = {
    ...domain,
    engine,
    jobs,
    links,
    live,
    requests,
    faults,
    barriers,
    fixtures: () => options.fixtures,
    committed: () => store.committed(),
    ...(options.dataDirectory === undefined ? {} : { dataDirectory: options.dataDirectory }),
    fixturesSource: options.fixturesSource,
    commandLine,
    replaceState(fill) {
      jobs.abandon()
      void links.clear()
      clearState(state)
      polls.clear()
      requests.clear()
      faults.clear()
      barriers.clear()
      clock.reset()
      fill()
      engine.reset()
      bus.emit('sandbox.reset', {})
    },
    reset() {
      deps.replaceState(() => startOver(deps, options))
    },
    onClose: (close) => void onClose.push(close),
    closing: () => {
      for (const close of onClose.splice(0)) close()
    },
  }
  return deps
}

/** Where the clock stood. What no clock can show, in the state of an earlier version, is real time again. */
function storedClock(state: State): NonNullable<MetaValues['clock']> {
  const stored = readMeta(state, 'clock') ?? {}
  return isClockTime(stored.frozenAt ?? Date.now() + (stored.offsetMs ?? 0)) ? stored : {}
}

/** Loads the fixtures into an empty state. */
export function startOver(deps: ServerDeps, options: ResolvedOptions): void {
  loadFixtures(deps, options.fixtures)
  writeMeta(deps.state, 'fixtures', options.fixturesHash)
}
