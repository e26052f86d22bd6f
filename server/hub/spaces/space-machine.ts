import { type SpaceStage, storageTiers } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Repo, SpaceMachine, SpaceVolume } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import {
  refuseStatic,
  requireFlavor,
  requireSleepTime,
  requireTier,
  requireVolumes,
} from '../repos/space-options.ts'
import { runtimeOf, stageOf, type SpaceRuntime } from '../repos/space-runtime.ts'
import { isStaticSpace, readSpaceMetadata } from '../repos/space-sdk.ts'

type Deps = Pick<HubDeps, 'state' | 'objects' | 'clock'>

// The hub sends no event for any of these.

/** Describes the present hardware and stage of a Space. */
export function spaceRuntime(deps: Deps, repo: Repo): SpaceRuntime {
  return runtimeOf(repo, isStatic(deps, repo), deps.clock.now())
}

/**
 * Moves a Space to other hardware, at once.
 * @throws {Refusal} `invalid` for unknown hardware, an invalid time, and a static Space
 */
export function requestHardware(
  deps: Deps,
  repo: Repo,
  { flavor, sleepTimeSeconds }: { flavor: string; sleepTimeSeconds?: number },
): SpaceRuntime {
  return change(deps, repo, () => ({
    hardware: requireFlavor(flavor),
    activeAt: deps.clock.now(),
    ...(sleepTimeSeconds === undefined
      ? {}
      : { sleepTimeSeconds: requireSleepTime(sleepTimeSeconds) }),
  }))
}

/**
 * Sets the idle seconds after which a Space on paid hardware sleeps; -1 = never.
 * @throws {Refusal} `invalid` for an invalid time, and for a static Space
 */
export function setSleepTime(deps: Deps, repo: Repo, seconds: number): SpaceRuntime {
  return change(deps, repo, () => ({ sleepTimeSeconds: requireSleepTime(seconds) }))
}

/** @throws {Refusal} `invalid` for a static Space */
export function setDevMode(deps: Deps, repo: Repo, devMode: boolean): SpaceRuntime {
  return change(deps, repo, () => ({ devMode }))
}

/**
 * Stops a Space until it is restarted.
 * @throws {Refusal} `invalid` for a static Space
 */
export function pauseSpace(deps: Deps, repo: Repo): SpaceRuntime {
  return change(deps, repo, () => ({ paused: true }))
}

/**
 * Rebuilds a Space, paused, asleep or not; it is running at the next request.
 * @returns its runtime while it is being built
 * @throws {Refusal} `invalid` for a static Space
 */
export function restartSpace(deps: Deps, repo: Repo): SpaceRuntime {
  return change(deps, repo, () => ({ paused: undefined, activeAt: deps.clock.now() }), 'BUILDING')
}

/** Wakes a Space that sleeps, as a visit of its page does. */
export function visitSpace({ state, clock }: Pick<HubDeps, 'state' | 'clock'>, repo: Repo): void {
  const now = clock.now()
  if (stageOf(repo, now) !== 'SLEEPING') return
  state.repos.put({ ...repo, machine: { ...repo.machine, activeAt: now } })
}

/**
 * Adds persistent storage to a Space.
 * @throws {Refusal} `invalid` for an unknown or smaller tier, and for a static Space
 */
export function requestStorage(deps: Deps, repo: Repo, tier: string): SpaceRuntime {
  return change(deps, repo, ({ storage }) => {
    const wanted = requireTier(tier)
    if (storage !== undefined && storageTiers.indexOf(wanted) < storageTiers.indexOf(storage)) {
      throw new Refusal(
        'invalid',
        `Storage cannot shrink from ${storage} to ${wanted}: delete it first`,
      )
    }
    return { storage: wanted }
  })
}

/** @throws {Refusal} `invalid` for a Space without storage, which static ones are */
export function deleteStorage(deps: Deps, repo: Repo): SpaceRuntime {
  return change(deps, repo, ({ storage }) => {
    if (storage === undefined) throw new Refusal('invalid', 'This Space has no persistent storage')
    return { storage: undefined }
  })
}

/**
 * Replaces the volumes of a Space.
 * @throws {Refusal} `invalid` for invalid volumes, and for a static Space
 */
export function setVolumes(deps: Deps, repo: Repo, volumes: readonly SpaceVolume[]): SpaceRuntime {
  return change(deps, repo, () => ({
    volumes: volumes.length === 0 ? undefined : requireVolumes(volumes),
  }))
}

/** @throws {Refusal} `invalid` for a Space without volumes, which static ones are */
export function deleteVolumes(deps: Deps, repo: Repo): SpaceRuntime {
  return change(deps, repo, ({ volumes }) => {
    if (volumes === undefined) throw new Refusal('invalid', 'This Space has no volumes')
    return { volumes: undefined }
  })
}

function change(
  deps: Deps,
  repo: Repo,
  decide: (machine: SpaceMachine) => {
    [Part in keyof SpaceMachine]: SpaceMachine[Part] | undefined
  },
  stage?: SpaceStage,
): SpaceRuntime {
  if (isStatic(deps, repo)) refuseStatic()
  const { machine = {} } = repo
  const changed = omitUndefined({ ...machine, ...decide(machine) })
  const updated = deps.state.repos.put({ ...repo, machine: changed })
  return runtimeOf(updated, false, deps.clock.now(), stage)
}

function isStatic(deps: Deps, repo: Repo): boolean {
  return isStaticSpace(repo, readSpaceMetadata(deps, repo))
}
