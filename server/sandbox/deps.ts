import { randomBytes } from 'node:crypto'
import { createAdviceExceptions } from '../advice/exceptions.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { ResolvedOptions } from '../config/options.ts'
import type { Fixtures } from '../contract/fixtures-types.ts'
import { createClock, type Clock, isClockTime } from '../core/clock.ts'
import { createIds, createSeededIds } from '../core/ids.ts'
import type { ClientFiles, ServerDeps } from '../http/server-deps.ts'
import type { Settings } from '../core/settings.ts'
import { performance } from '../core/timers.ts'
import { createBus } from '../events/bus.ts'
import { createEventLog } from '../events/log.ts'
import { createOutgoing } from '../network/outgoing.ts'
import { createRequestLog } from '../requests/log/request-log.ts'
import { createLfsTransfers } from '../hub/uploads/lfs-transfers.ts'
import { createBucketFeed } from '../hub/buckets/bucket-feed.ts'
import { createXetTokens } from '../hub/xet/xet-tokens.ts'
import { createRateLimits } from '../hub/access/rate-limits.ts'
import { Git } from '../git/git.ts'
import { createScheduledJobs } from '../hub/jobs/scheduled-jobs.ts'
import { createJobs } from '../hub/jobs/jobs.ts'
import { pageVariables } from '../hub/spaces/space-variables.ts'
import { createRecordedRun } from '../requests/exports/recorded-run.ts'
import type { Certificate } from './certificate.ts'
import { realTime } from './real-time.ts'
import { replaceState } from './replace-state.ts'
import { createJobVolumes } from './job-volumes.ts'
import { runProcess } from './run-process.ts'
import { spareKey } from './spare-key.ts'
import { createCodeGuesses } from '../oauth/code-guesses.ts'
import { createDevicePolls } from '../oauth/device-polls.ts'
import { createSeededKeys } from '../oauth/seeded-keys.ts'
import { createSigningKeys } from '../oauth/signing-keys.ts'
import { beforeAudit } from '../audit/app/restore.ts'
import { createAudits } from '../audit/runs.ts'
import { visitPage } from '../network/visit-page.ts'
import { createBarriers } from '../lab/faults/barriers.ts'
import { breakDeliveries } from '../lab/faults/break-deliveries.ts'
import { createFaults } from '../lab/faults/faults.ts'
import { setClock } from '../state/kept-state.ts'
import { aside, captureSandbox, fillSandbox, type KeptSandbox } from '../objects/kept-sandbox.ts'
import type { ObjectStores } from '../objects/object-store.ts'
import { keptLog, recallLog } from '../fixtures/log/load-log.ts'
import { loadFixtures } from '../fixtures/load/load-fixtures.ts'
import { clearState, type MetaValues, readMeta, writeMeta } from '../state/meta.ts'
import type { definitions, State } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { createForks } from '../lab/triggers/forks.ts'
import { createTemporaryWebhooks } from '../lab/triggers/temporary-webhooks.ts'
import { deliveryOfCall } from '../events/delivery-of-call.ts'
import { createWebhookEngine } from '../webhooks/engine/engine.ts'
import { createFrames } from '../network/frames/frames.ts'
import { createLinks } from '../network/links.ts'
import { createRepeats } from '../lab/triggers/repeats.ts'
import { createDemos } from '../lab/demos/demos.ts'
import type { TargetPolicy } from '../network/target.ts'

/** Creates the domain over an open state, and the services around it, without starting anything. */
export function createDeps(
  options: ResolvedOptions,
  settings: Settings,
  {
    store,
    objects,
    clientFiles,
    certificate,
  }: {
    store: Store<typeof definitions>
    objects: ObjectStores
    clientFiles: ClientFiles
    certificate: Certificate | undefined
  },
  policy: TargetPolicy,
  commandLine: ServerDeps['commandLine'],
  { segments, runAdvice, forkPlaces }: Pick<ServerDeps, 'segments' | 'runAdvice' | 'forkPlaces'>,
): ServerDeps {
  const state = store.collections
  const { seed } = settings
  const generation = (readMeta(state, 'generation') ?? -1) + 1
  writeMeta(state, 'generation', generation)
  const seeded = seed === undefined ? undefined : createSeededIds(seed, generation)
  const ids = seeded?.ids ?? createIds()

  const clock: Clock = createClock({ initial: storedClock(state) })
  const bus = createBus(clock)
  clock.onChange((reading) => {
    const { frozen, offsetMs, now } = reading
    writeMeta(state, 'clock', frozen ? { frozenAt: now } : { offsetMs })
    bus.emit('clock.changed', reading)
  })
  const polls = createDevicePolls(clock, settings.device.intervalSeconds)
  const makeRandomKey = async () => ({
    id: ids.of('key').alphanumeric(16),
    privateJwk: await spareKey.take(),
  })
  const keys = createSigningKeys({
    state,
    clock,
    bus,
    makeKey: seed === undefined ? makeRandomKey : createSeededKeys(seed),
  })
  const requests = createRequestLog(settings.caps, clock)
  // Random even with a seed, to distinguish this run from the previous one.
  const live = createEventLog(bus, createIds().alphanumeric(8), {
    flowIdOf: (requestId) => requests.flows.ofRequest(requestId)?.id,
  })
  const faults = createFaults({ clock, ids, bus })
  const barriers = createBarriers({ ids, bus })
  const domain = { settings, clock, ids, state, objects, bus, keys, polls }
  const recordedRun = createRecordedRun(domain)
  const pausedBecause = () => recordedRun.pausedBecause()
  const jobs = createJobs(domain, runProcess, {
    pausedBecause,
    volumesOf: createJobVolumes(domain),
  })
  const scheduledJobs = createScheduledJobs(domain, jobs, { pausedBecause })
  const links = createLinks(domain, policy)
  const frames = createFrames(domain, policy, {
    certificate,
    realNow: () => clock.realNow(),
    pageVariables: (space) => pageVariables(domain, space),
  })
  const engine = createWebhookEngine(domain, {
    committed: () => store.committed(),
    wire: createOutgoing(policy),
    jobs,
    realTime,
    stoppedBecause: pausedBecause,
    jobDeliveryId: () => deliveryOfCall.getStore(),
    pausedBecause: (webhook) => links.pausedBecause(webhook),
    intercept: breakDeliveries(faults),
  })
  const temporaryWebhooks = createTemporaryWebhooks(domain)
  const demos = createDemos({ ids, clock, realTime })
  const audits = createAudits({ bus, clock, ids }, realTime)
  const startedAt = performance.now()
  const lfs = createLfsTransfers(domain)
  const newRunId = () => randomBytes(6).toString('hex')
  const xet = createXetTokens(domain, newRunId)
  const bucketFeed = createBucketFeed(domain, newRunId)
  const onClose: (() => void)[] = [() => temporaryWebhooks.clear(), () => demos.clear()]

  let loaded: LoadedFixtures = options
  const isStagedOnce = () => options.dataDirectory === undefined && isTimeless(loaded.fixtures)
  let staged: KeptSandbox | undefined
  let stop: (() => void) | undefined
  const deps: ServerDeps = {
    ...domain,
    engine,
    jobs,
    scheduledJobs,
    git: new Git(domain),
    links,
    frames,
    repeats: createRepeats(domain),
    demos,
    realTime,
    guesses: createCodeGuesses(clock),
    limits: createRateLimits(domain),
    lfs,
    xet,
    bucketFeed,
    temporaryWebhooks,
    forks: createForks(settings.caps.forks, forkPlaces),
    forkPlaces,
    segments,
    recordedRun,
    live,
    adviceExceptions: createAdviceExceptions(),
    runAdvice,
    audits,
    visitPage: (request) => visitPage(request, policy),
    requests,
    faults,
    barriers,
    fixtures: () => loaded.fixtures,
    committed: () => store.committed(),
    ...omitUndefined({ dataDirectory: options.dataDirectory }),
    clientFiles,
    uptimeMs: () => performance.now() - startedAt,
    fixturesSource: options.fixturesSource,
    commandLine,
    captureState: () =>
      beforeAudit(state, captureSandbox(domain, clock.read(), seeded?.position())),
    replaceState: (kept, snapshot) => replaceState(deps, kept, seeded, snapshot),
    stageFixtures() {
      if (!isStagedOnce()) return stageFixtures(domain, loaded)
      return (staged ??= stageFixtures(domain, loaded))
    },
    async loadFixtures(next) {
      const before = { loaded, staged }
      loaded = next
      staged = undefined
      try {
        return await deps.segments.endBefore(() => deps.reset())
      } catch (error) {
        loaded = before.loaded
        staged = before.staged
        throw error
      }
    },
    reset() {
      const kept = deps.stageFixtures()
      const erased = deps.replaceState(kept)
      writeMeta(state, 'fixtures', loaded.fixturesHash)
      deps.placeIds(kept.ids)
      return erased
    },
    placeIds(position) {
      if (position === undefined) seeded?.rewind()
      else seeded?.seek(position)
    },
    requestStop: () => stop?.(),
    onStopRequest(next) {
      stop = next
    },
    onClose: (close) => void onClose.push(close),
    closing: () => {
      for (const close of onClose.splice(0)) close()
    },
  }
  return deps
}

/** Fixtures that a reset loads. */
type LoadedFixtures = Pick<ResolvedOptions, 'fixtures' | 'fixturesHash' | 'fixturesOpenOrigins'>

/** Stored setting of the clock. Invalid values of an earlier version become real time. */
function storedClock(state: State): NonNullable<MetaValues['clock']> {
  const stored = readMeta(state, 'clock') ?? {}
  return isClockTime(stored.frozenAt ?? Date.now() + (stored.offsetMs ?? 0)) ? stored : {}
}

/**
 * Loads fixtures into a separate state: fixtures that the hub's rules refuse leave the present state unchanged.
 * @throws {Refusal}
 */
function stageFixtures(
  { settings, clock }: Pick<ServerDeps, 'settings' | 'clock'>,
  { fixtures, fixturesOpenOrigins }: LoadedFixtures,
): KeptSandbox {
  return aside(
    (place) => {
      loadFixtures({ settings, opensOrigins: fixturesOpenOrigins, ...place }, fixtures)
      return { ...captureSandbox(place, place.clock.read()), ...keptLog(fixtures.log) }
    },
    () => clock.realNow(),
  )
}

/** Checks whether fixtures give the same state at any time: durations in them count from the clock. */
function isTimeless({ clock, users, inferenceEndpoints, log }: Fixtures): boolean {
  if (log !== undefined) return false
  if (clock.now !== undefined || clock.frozen) return clock.now !== undefined && clock.frozen
  if (inferenceEndpoints.some(({ scaling }) => scaling.scaleToZeroTimeout !== null)) return false
  return users.every(({ tokens }) => tokens.every(({ expiresIn }) => expiresIn === undefined))
}

/**
 * Replaces the state, without starting anything.
 * @param kept state to use; default: that of the fixtures
 */
export function startOver(
  deps: ServerDeps,
  { fixturesHash }: ResolvedOptions,
  kept = deps.stageFixtures(),
): void {
  clearState(deps.state)
  deps.objects.forget()
  deps.clock.reset()
  fillSandbox(deps, kept)
  setClock(deps.clock, kept.clock)
  deps.recordedRun.take(kept.recordedRun)
  if (kept.log !== undefined) recallLog(deps, kept.log)
  writeMeta(deps.state, 'fixtures', fixturesHash)
}

/** Shows a recorded run again that was not resumed, because requests and events are kept in memory only. */
export function recallRun(deps: ServerDeps, { fixtures }: ResolvedOptions): void {
  const { log } = keptLog(fixtures.log)
  if (deps.recordedRun.describe() !== undefined && log !== undefined) recallLog(deps, log)
}
