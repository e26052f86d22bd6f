import { createAdviceExceptions } from './checks/exceptions.ts'
import type { RunAdvice } from './checks/run-advice.ts'
import { placeOfRequest } from './audit/of-audit.ts'
import { createAudits } from './audit/runs.ts'
import { createClock, isClockTime } from '../core/clock.ts'
import { createIds, createSeededIds } from '../core/ids.ts'
import { createOneAtATime } from '../core/one-at-a-time.ts'
import type { RealTime } from '../core/real-time.ts'
import { ServiceList } from '../core/service-list.ts'
import type { Settings } from '../core/settings.ts'
import { createBus } from '../hub/events/bus.ts'
import { deliveryOfCall } from '../hub/events/delivery-of-call.ts'
import type { Deps } from '../hub/deps.ts'
import { createEventLog } from '../inspect/live/event-log.ts'
import { Git } from '../hub/git/git.ts'
import { createRateLimits } from '../hub/access/rate-limits.ts'
import { createBucketFeed } from '../hub/buckets/bucket-feed.ts'
import { createJobs, type JobOptions } from '../hub/jobs/jobs.ts'
import type { RunProcess } from '../hub/jobs/run-process.ts'
import { createScheduledJobs } from '../hub/jobs/scheduled-jobs.ts'
import { pageVariables } from '../hub/spaces/space-variables.ts'
import { createLfsTransfers } from '../hub/uploads/lfs-transfers.ts'
import { createXetTokens } from '../hub/xet/xet-tokens.ts'
import { createDemos } from './demos/demos.ts'
import { createBarriers } from './faults/barriers.ts'
import { breakDeliveries } from './faults/break-deliveries.ts'
import { createFaults } from './faults/faults.ts'
import { createForks, type ForkPlaces } from './forks/forks.ts'
import type { LogSegments } from '../inspect/log/log-segments.ts'
import type { LastTrigger } from './triggers/trigger.ts'
import { createTemporaryWebhooks } from './webhooks/temporary-webhooks.ts'
import type { FrameCertificate } from './frames/frame-server.ts'
import { createFrames } from './frames/frames.ts'
import { createLinks } from './links/links.ts'
import type { Outgoing } from '../web/outgoing/outgoing.ts'
import type { TargetPolicy } from '../web/outgoing/target-policy.ts'
import { fillSandbox, type KeptSandbox } from '../store/objects/kept-sandbox.ts'
import type { ObjectStores } from '../store/objects/object-store.ts'
import { createCodeGuesses } from '../hub/oauth/code-guesses.ts'
import { createDevicePolls } from '../hub/oauth/device-polls.ts'
import { createSeededKeys } from '../hub/oauth/seeded-keys.ts'
import { createSigningKeys, type NewKey } from '../hub/oauth/signing-keys.ts'
import { createRecordedRun } from '../inspect/exports/recorded-run.ts'
import { createRequestLog } from '../inspect/log/request-log.ts'
import type { SigningKey } from '../store/entities/oauth-entities.ts'
import { setClock } from '../store/kept-state.ts'
import { clearState, type MetaValues, readMeta, writeMeta } from '../store/meta.ts'
import type { State } from '../store/state.ts'
import { createWebhookEngine } from '../hub/webhooks/engine/engine.ts'
import { createClosers } from '../web/closers.ts'

/** Files that the environment of a client program refers to. */
export interface ClientFiles {
  /** Certificate of a sandbox with HTTPS. */
  readonly certificatePath?: string
  /** Variables that name folders for cached files. */
  readonly caches?: Readonly<Record<string, string>>
}

/** The HTTP server of a sandbox, as its stop ends it. */
export interface ServerEnd {
  /** Refuses new requests; resolves after the last response. */
  close(): Promise<unknown>
  /** Closes the connections that are left. */
  destroy(): void
}

/** Values that the services of a sandbox are created from. */
export interface ServiceStart {
  readonly settings: Settings
  readonly state: State
  /** Contents of repos. */
  readonly objects: ObjectStores
  /** Resolves when all changes made so far are in the journal; `undefined` when nothing waits. */
  readonly committed: () => Promise<void> | undefined
  /** Targets to which the sandbox may send requests. */
  readonly policy: TargetPolicy
  /** Network functions under this policy. */
  readonly outgoing: Outgoing
  readonly certificate?: FrameCertificate | undefined
  readonly realTime: RealTime
  readonly runProcess: RunProcess
  readonly volumesOf?: (deps: Deps) => NonNullable<JobOptions['volumesOf']>
  /** Generates an RSA key. */
  readonly newPrivateKey: () => Promise<NewKey['privateJwk']>
  /** Names this run: random, even with a seed. */
  readonly newRunId: () => string
  readonly commandLine: {
    readonly command: readonly string[]
    readonly options: readonly string[]
  }
  readonly clientFiles: ClientFiles
  readonly forkPlaces: ForkPlaces
  readonly segments: LogSegments
  readonly runAdvice: RunAdvice
  readonly server: ServerEnd
}

/**
 * The services of a sandbox, each with its whole life. In this order they are created, started and given a new state; a
 * stop and the forgetting before a new state go from the last one to the first.
 */
export const services = ServiceList.of<ServiceStart, KeptSandbox>()
  .with('settings', {
    create: (_, { settings }) => settings,
    stays: 'they are what the sandbox was started with',
  })
  .with('realTime', {
    create: (_, { realTime }) => realTime,
    stays: 'it is the time of the machine',
  })
  .with('clock', {
    create: (_, { state }) => createClock({ initial: storedClock(state) }),
    onReset: {
      forget: (clock) => clock.reset(),
      takeUp: (clock, _, kept) => setClock(clock, kept.clock),
    },
    onStop: (clock) => clock.close(),
  })
  .with('objects', {
    create: (_, { objects }) => objects,
    // After the repos that they belong to.
    onReset: { forget: (objects) => objects.forget() },
  })
  .with('state', {
    create: (_, { state }) => state,
    onReset: { forget: forgetState, takeUp: takeUpState },
  })
  .with('seededIds', {
    create: ({ settings: { seed }, state }) => {
      const generation = (readMeta(state, 'generation') ?? -1) + 1
      writeMeta(state, 'generation', generation)
      return seed === undefined ? undefined : createSeededIds(seed, generation)
    },
    onReset: {
      takeUp: (seededIds, _, kept) => {
        if (kept.ids !== undefined) seededIds?.seek(kept.ids)
      },
    },
  })
  .with('ids', {
    create: ({ seededIds }) => seededIds?.ids ?? createIds(),
    stays: 'those of a seed go on where the new state left them',
  })
  .with('bus', {
    create: ({ clock, state }) => {
      const bus = createBus(clock)
      clock.onChange((reading) => {
        const { frozen, offsetMs, now } = reading
        writeMeta(state, 'clock', frozen ? { frozenAt: now } : { offsetMs })
        bus.emit('clock.changed', reading)
      })
      return bus
    },
    stays: 'the listeners belong to the program; all of them are notified',
  })
  .with('git', {
    create: (deps) => new Git(deps),
    onStop: (git) => git.close(),
    stays: 'requests in progress end by themselves; each request reads the state again',
  })
  .with('lfs', {
    create: (deps) => createLfsTransfers(deps),
    onReset: { forget: (lfs) => lfs.clear() },
    async onStop(lfs, _, stopping) {
      // Uploads arrive until the server is closed.
      await stopping.settled()
      lfs.clear()
    },
  })
  .with('xet', {
    create: (deps, { newRunId }) => createXetTokens(deps, newRunId),
    onReset: { forget: (xet) => xet.clear() },
  })
  .with('bucketFeed', {
    create: (deps, { newRunId }) => createBucketFeed(deps, newRunId),
    onReset: { takeUp: (bucketFeed) => bucketFeed.clear() },
  })
  .with('limits', {
    create: (deps) => createRateLimits(deps),
    onReset: { forget: (limits) => limits.clear() },
  })
  .with('polls', {
    create: ({ clock, settings }) => createDevicePolls(clock, settings.device.intervalSeconds),
    onReset: { forget: (polls) => polls.clear() },
  })
  .with('guesses', {
    create: ({ clock }) => createCodeGuesses(clock),
    onReset: { forget: (guesses) => guesses.clear() },
  })
  .with('keys', {
    create: (deps, { newPrivateKey }) => {
      const { ids, settings } = deps
      const makeRandomKey = async () => ({
        id: ids.of('key').alphanumeric(16),
        privateJwk: await newPrivateKey(),
      })
      const { seed } = settings
      const makeKey = seed === undefined ? makeRandomKey : createSeededKeys(seed)
      return createSigningKeys({ ...deps, makeKey })
    },
    stays: 'clients cache the published keys: only a rotation changes them',
  })
  .with('recordedRun', {
    create: (deps) => createRecordedRun(deps),
    onReset: { takeUp: (recordedRun, _, kept) => recordedRun.take(kept.recordedRun) },
  })
  .with('faults', {
    create: (deps) => createFaults(deps),
    onReset: { forget: (faults) => faults.clear() },
  })
  .with('frames', {
    create: (deps, { policy, certificate }) =>
      createFrames(deps, policy, {
        certificate,
        realNow: () => deps.clock.realNow(),
        pageVariables: (space) => pageVariables(deps, space),
      }),
    onReset: { forget: (frames) => frames.forgetCalls() },
    stays: 'their pages are open in a browser, which keeps the cookies',
    onStop: (frames) => frames.clear(),
  })
  .with('links', {
    create: (deps, { policy }) => createLinks(deps, policy),
    onStart: (links) => links.takeUp(),
    onReset: { takeUp: (links) => links.follow() },
    onStop: (links) => links.close(),
  })
  .with('jobs', {
    create: (deps, { runProcess, volumesOf }) =>
      createJobs(deps, runProcess, {
        pausedBecause: () => deps.recordedRun.pausedBecause(),
        ...(volumesOf === undefined ? {} : { volumesOf: volumesOf(deps) }),
      }),
    onStart: (jobs) => jobs.takeUp(),
    onReset: { forget: (jobs) => jobs.abandon(), takeUp: (jobs) => jobs.takeUp() },
    onStop: (jobs) => jobs.close(),
  })
  .with('scheduledJobs', {
    create: (deps) =>
      createScheduledJobs(deps, deps.jobs, {
        pausedBecause: () => deps.recordedRun.pausedBecause(),
      }),
    onStart: (scheduledJobs) => scheduledJobs.takeUp(),
    onReset: {
      forget: (scheduledJobs) => scheduledJobs.clear(),
      takeUp: (scheduledJobs) => scheduledJobs.takeUp(),
    },
    onStop: (scheduledJobs) => scheduledJobs.clear(),
  })
  .with('engine', {
    create: (deps, { committed, outgoing }) =>
      createWebhookEngine(deps, {
        committed,
        wire: outgoing,
        jobs: deps.jobs,
        realTime: deps.realTime,
        stoppedBecause: () => deps.recordedRun.pausedBecause(),
        jobDeliveryId: () => deliveryOfCall.getStore(),
        pausedBecause: (webhook) => deps.links.pausedBecause(webhook),
        intercept: breakDeliveries(deps.faults),
      }),
    onStart: (engine) => engine.start(),
    onReset: { takeUp: (engine) => engine.reset() },
    onStop: (engine, _, { graceMs }) => engine.close(graceMs),
    onHurry: (engine) => void engine.close(0),
  })
  .with('requests', {
    create: ({ settings, clock }) => createRequestLog(settings.caps, clock),
    onReset: { forget: (requests) => requests.clear() },
  })
  .with('adviceExceptions', {
    create: () => createAdviceExceptions(),
    onReset: { forget: (adviceExceptions) => adviceExceptions.clear() },
  })
  .with('live', {
    create: (deps, { newRunId }) =>
      createEventLog(deps.bus, newRunId(), {
        aboutRequest: (requestId) => placeOfRequest(deps, requestId),
      }),
    stays: 'it forgets what was before the event sandbox.reset, and begins with that',
  })
  .with('audits', {
    create: (deps) => createAudits(deps, deps.realTime),
    onReset: { forget: (audits) => void audits.clear() },
    // What an audit has changed is restored before the state is saved.
    onStop: (audits, { realTime }, { graceMs }) =>
      Promise.race([
        audits.clear(),
        new Promise((over) => realTime.after(graceMs, () => over(undefined))),
      ]),
  })
  .with('server', {
    create: (_, { server }) => server,
    onStop: (server, _, { alongside }) => alongside(server.close()),
    onHurry: (server) => server.destroy(),
    stays: 'its connections belong to the clients',
  })
  .with('oneAtATime', {
    create: () => createOneAtATime(),
    stays: 'a report or export that has begun goes on',
  })
  .with('forkPlaces', {
    create: (_, { forkPlaces }) => forkPlaces,
    stays: 'the forks stay',
  })
  .with('forks', {
    create: ({ settings, forkPlaces }) => createForks(settings.caps.forks, forkPlaces),
    onStop: (forks, _, { alongside }) => alongside(forks.close()),
    onHurry: (forks) => void forks.close(),
    stays: 'they share nothing with their origin',
  })
  .with('closers', {
    create: () => createClosers(),
    onStop: (closers) => closers.run(),
    stays: 'what they end belongs to clients, which are still there',
  })
  .with('demos', {
    create: (deps) => createDemos(deps),
    onReset: { forget: (demos) => demos.clear() },
    onStop: (demos) => demos.clear(),
  })
  .with('temporaryWebhooks', {
    create: (deps) => createTemporaryWebhooks(deps),
    onStop: (temporaryWebhooks) => temporaryWebhooks.clear(),
    stays: 'who follows one is still there',
  })
  .with('lastTrigger', {
    create: (): LastTrigger => ({}),
    stays: 'it can be repeated after a reset',
  })
  .with('barriers', {
    create: (deps) => createBarriers(deps),
    onReset: { forget: (barriers) => barriers.clear() },
    onStop: (barriers) => barriers.clear(),
  })
  .with('runAdvice', {
    create: (_, { runAdvice }) => runAdvice,
    // Before the records that it judges are deleted.
    onReset: { forget: (runAdvice) => runAdvice.endSegment() },
    onStop: (runAdvice) => runAdvice.close(),
  })
  .with('segments', {
    create: (_, { segments }) => segments,
    // While the control API still responds.
    onStop: (segments) => segments.close(),
    stays: 'a segment is read before its records are deleted',
  })
  .with('commandLine', {
    create: (_, { commandLine }) => commandLine,
    stays: 'it is how the sandbox was started',
  })
  .with('clientFiles', {
    create: (_, { clientFiles }) => clientFiles,
    stays: 'they follow from how the sandbox was started',
  })

/** Every service of a sandbox, by its name in the list. */
export type Services = (typeof services)['all']

/** Stored setting of the clock. Invalid values of an earlier version become real time. */
function storedClock(state: State): NonNullable<MetaValues['clock']> {
  const stored = readMeta(state, 'clock') ?? {}
  return isClockTime(stored.frozenAt ?? Date.now() + (stored.offsetMs ?? 0)) ? stored : {}
}

function forgetState(state: State): void {
  // Clients cache the published keys.
  const { signingKeys: _stay, ...collections } = state
  clearState(collections)
}

function takeUpState(state: State, { objects }: { objects: ObjectStores }, kept: KeptSandbox) {
  const { signingKeys: keptKeys = [], ...collections } = kept.collections
  fillSandbox({ state, objects }, { ...kept, collections })
  const recorded = (keptKeys as SigningKey[]).filter(isPublic)
  if (recorded.length === 0) return
  const own = [...state.signingKeys.values()]
  state.signingKeys.clear()
  for (const key of [...recorded, ...own]) state.signingKeys.put(key)
}

/** Checks whether this is a key of a recorded run, which only verifies signatures of that run. */
function isPublic({ privateJwk }: SigningKey): boolean {
  return !('d' in privateJwk)
}
