import type { ReplacedState } from '../contract/control-sandbox.ts'
import { recallLog } from '../fixtures/log/load-log.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { SeededIds } from '../core/ids.ts'
import type { ServerDeps } from '../http/server-deps.ts'
import { fillSandbox, type KeptSandbox } from '../objects/kept-sandbox.ts'
import type { Entity } from '../state/collection.ts'
import type { SigningKey } from '../state/entities/oauth.ts'
import { setClock } from '../state/kept-state.ts'
import { clearState } from '../state/meta.ts'

/** Reaction of a service to the replacement of the state. */
interface Fate {
  /** Runs before the replacement: ends running work and clears collected data. */
  forget?: () => void
  /** Runs after the replacement: continues from the new state. */
  takeUp?: () => void
  /** Reason why it stays unchanged, in whole or in part. */
  stays?: string
}

type Method = (...parameters: never[]) => unknown

/** Members of {@link ServerDeps} that may hold data. */
export type Service = {
  [Name in keyof ServerDeps]-?: ServerDeps[Name] extends Method | string | undefined ? never : Name
}[keyof ServerDeps]

/**
 * Lists the services of a sandbox in the order in which a reset or restore handles them. A missing service is a compile
 * error.
 */
export function fatesOf(
  services: Pick<ServerDeps, Service>,
  kept: KeptSandbox,
  seeded: SeededIds | undefined,
  details: { erasedRequests: number; snapshot?: string },
): Record<Service, Fate> {
  const { state, clock } = services
  const { signingKeys: keptKeys = [], ...collections } = kept.collections
  const keys = [...keptKeys.filter(isPublic), ...state.signingKeys.values()]
  return {
    // Before the record is deleted.
    runAdvice: { forget: () => services.runAdvice.endSegment() },
    jobs: { forget: () => services.jobs.abandon() },
    state: {
      forget: () => clearState(state),
      takeUp: () => {
        fillSandbox(services, { ...kept, collections })
        for (const key of keys) state.signingKeys.put(key)
      },
    },
    objects: { forget: () => services.objects.forget() },
    polls: { forget: () => services.polls.clear() },
    guesses: { forget: () => services.guesses.clear() },
    limits: { forget: () => services.limits.clear() },
    lfs: { forget: () => services.lfs.clear() },
    xet: { forget: () => services.xet.clear() },
    requests: { forget: () => services.requests.clear() },
    recordedRun: { takeUp: () => services.recordedRun.take(kept.recordedRun) },
    adviceExceptions: { forget: () => services.adviceExceptions.clear() },
    // First of all: an audit that ends restores the clock and the tokens of its app.
    audits: { forget: () => void services.audits.clear() },
    faults: { forget: () => services.faults.clear() },
    barriers: { forget: () => services.barriers.clear() },
    frames: {
      forget: () => services.frames.forgetCalls(),
      stays: 'their pages are open in a browser, which keeps the cookies',
    },
    demos: { forget: () => services.demos.clear() },
    clock: { forget: () => clock.reset(), takeUp: () => setClock(clock, kept.clock) },
    bucketFeed: { takeUp: () => services.bucketFeed.clear() },
    ids: {
      takeUp: () => {
        if (kept.ids !== undefined) seeded?.seek(kept.ids)
      },
    },
    scheduledJobs: {
      forget: () => services.scheduledJobs.clear(),
      takeUp: () => services.scheduledJobs.takeUp(),
    },
    links: { takeUp: () => services.links.follow() },
    engine: { takeUp: () => services.engine.reset() },
    bus: {
      takeUp: () => services.bus.emit('sandbox.reset', details),
      stays: 'the listeners belong to the program; all of them are notified',
    },
    live: {
      takeUp: () => {
        if (kept.log !== undefined) recallLog(services, kept.log)
      },
      stays: 'it forgets what was before the fact sandbox.reset, and begins with that',
    },
    temporaryWebhooks: {
      takeUp: () => services.temporaryWebhooks.putBack(),
      stays: 'who follows one is still there',
    },
    repeats: { stays: 'they end when they are through, or stopped: a test may reset between two' },
    keys: { stays: 'clients cache the published keys: only a rotation changes them' },
    git: { stays: 'requests in progress end by themselves; each request reads the state again' },
    forks: { stays: 'they share nothing with their origin' },
    forkPlaces: { stays: 'the forks stay' },
    segments: { stays: 'its listeners have read what goes' },
    realTime: { stays: 'it is the time of the machine' },
    settings: { stays: 'they are what the sandbox was started with' },
    commandLine: { stays: 'it is how the sandbox was started' },
    clientFiles: { stays: 'they follow from how the sandbox was started' },
  }
}

/** Checks whether this is a key of a recorded run, which only verifies signatures of that run. */
function isPublic(key: Entity): key is SigningKey {
  return !('d' in (key as SigningKey).privateJwk)
}

/** Replaces the present state by a kept one, all at once. */
export function replaceState(
  services: Pick<ServerDeps, Service>,
  kept: KeptSandbox,
  seeded: SeededIds | undefined,
  snapshot?: string,
): ReplacedState {
  const erased = { erasedRequests: services.requests.size }
  const fates = Object.values(
    fatesOf(services, kept, seeded, { ...erased, ...omitUndefined({ snapshot }) }),
  )
  for (const { forget } of fates) forget?.()
  for (const { takeUp } of fates) takeUp?.()
  return erased
}
