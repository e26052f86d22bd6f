import type { ResolvedOptions } from './config/options.ts'
import type { ReplacedState } from '../contract/control-sandbox.ts'
import type { Fixtures } from '../contract/fixtures-types.ts'
import { beforeAudit } from '../lab/audit/app/restore.ts'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { Running } from '../core/service-list.ts'
import { performance } from '../core/timers.ts'
import { keptLog, recallLog } from '../fixtures/log/load-log.ts'
import { loadFixtures } from '../fixtures/load-fixtures.ts'
import type { LoadedFixtures, ServerDeps } from '../lab/server-deps.ts'
import type { Services, ServiceStart } from '../lab/sandbox-services.ts'
import {
  aside,
  captureSandbox,
  fillSandbox,
  type KeptSandbox,
  prepareSandbox,
} from '../store/objects/kept-sandbox.ts'
import { setClock } from '../store/kept-state.ts'
import { clearState, writeMeta } from '../store/meta.ts'

/** Adds the operations on the whole sandbox to the services. */
export function wholeSandbox(
  services: Running<Services, KeptSandbox>,
  options: LoadedFixtures & Pick<ServerDeps, 'dataDirectory' | 'fixturesSource'>,
  { committed, outgoing }: Pick<ServiceStart, 'committed' | 'outgoing'>,
): ServerDeps {
  const { bus, state, clock, seededIds, requests, segments } = services.deps
  const startedAt = performance.now()
  let loaded: LoadedFixtures = options
  const isStagedOnce = () => options.dataDirectory === undefined && isTimeless(loaded.fixtures)
  let staged: KeptSandbox | undefined
  let stop: (() => void) | undefined

  function replaceState(kept: KeptSandbox, snapshot?: string): ReplacedState {
    prepareSandbox(services.deps, kept)
    const erased = { erasedRequests: requests.size }
    services.reset(kept)
    bus.emit('sandbox.reset', { ...erased, ...omitUndefined({ snapshot }) })
    if (kept.log !== undefined) recallLog(services.deps, kept.log)
    return erased
  }

  const deps: ServerDeps = {
    ...services.deps,
    fixtures: () => loaded.fixtures,
    committed,
    uptimeMs: () => performance.now() - startedAt,
    fixturesSource: options.fixturesSource,
    ...omitUndefined({ dataDirectory: options.dataDirectory }),
    captureState: () =>
      beforeAudit(state, captureSandbox(deps, clock.read(), seededIds?.position())),
    replaceState,
    stageFixtures() {
      if (!isStagedOnce()) return stageFixtures(deps, loaded)
      return (staged ??= stageFixtures(deps, loaded))
    },
    async loadFixtures(next) {
      const before = { loaded, staged }
      loaded = next
      staged = undefined
      try {
        return await segments.endBefore(() => deps.reset())
      } catch (error) {
        loaded = before.loaded
        staged = before.staged
        throw error
      }
    },
    reset() {
      const kept = deps.stageFixtures()
      const erased = replaceState(kept)
      writeMeta(state, 'fixtures', loaded.fixturesHash)
      deps.placeIds(kept.ids)
      return erased
    },
    placeIds(position) {
      if (position === undefined) seededIds?.rewind()
      else seededIds?.seek(position)
    },
    visitPage: (request) => outgoing.visitPage(request),
    requestStop: () => stop?.(),
    onStopRequest(next) {
      stop = next
    },
  }
  return deps
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
  prepareSandbox(deps, kept)
  clearState(deps.state)
  deps.objects.forget()
  deps.clock.reset()
  fillSandbox(deps, kept)
  setClock(deps.clock, kept.clock)
  deps.recordedRun.take(kept.recordedRun)
  if (kept.log !== undefined) recallLog(deps, kept.log)
  writeMeta(deps.state, 'fixtures', fixturesHash)
}

/** Shows a recorded run again after a restart, because requests and events are kept in memory only. */
export function recallRun(deps: ServerDeps, { fixtures }: ResolvedOptions): void {
  const { log } = keptLog(fixtures.log)
  if (deps.recordedRun.describe() !== undefined && log !== undefined) recallLog(deps, log)
}
