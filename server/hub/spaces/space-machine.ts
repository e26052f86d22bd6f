import { type SpaceStage, storageTiers } from '../../contract/words/hub.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Repo, SpaceMachine, SpaceVolume } from '../../state/entities/hub.ts'
import type { HubDeps } from '../hub-deps.ts'
import {
  refuseStatic,
  requireFlavor,
  requireSleepTime,
  requireTier,
  requireVolumes,
} from '../repos/space-options.ts'
import { runtimeOf, type SpaceRuntime } from '../repos/space-runtime.ts'
import { isStaticSpace, readSpaceMetadata } from '../repos/space-sdk.ts'

type Deps = Pick<HubDeps, 'state' | 'objects'>

// The hub tells webhooks of none of these.

/** What a Space runs on now. */
export function spaceRuntime(deps: Deps, repo: Repo): SpaceRuntime {
  return runtimeOf(repo, isStatic(deps, repo))
}

/**
 * Has a Space run on other hardware, at once.
 * @throws {Refusal} `invalid` for hardware or a time that there is not, and for a static Space
 */
export function requestHardware(
  deps: Deps,
  repo: Repo,
  { flavor, sleepTimeSeconds }: { flavor: string; sleepTimeSeconds?: number },
): SpaceRuntime {
  return change(deps, repo, () => ({
    hardware: requireFlavor(flavor),
    ...(sleepTimeSeconds === undefined
      ? {}
      : { sleepTimeSeconds: requireSleepTime(sleepTimeSeconds) }),
  }))
}

/**
 * Sets after how many idle seconds a Space sleeps, which counts on hardware that costs something; -1 = never.
 * @throws {Refusal} `invalid` for a time that there is not, and for a static Space
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
 * Builds a Space anew, paused or not; it is up the next time somebody looks.
 * @returns its runtime while it is being built
 * @throws {Refusal} `invalid` for a static Space
 */
export function restartSpace(deps: Deps, repo: Repo): SpaceRuntime {
  return change(deps, repo, () => ({ paused: undefined }), 'BUILDING')
}

/**
 * Gives a Space storage that outlives a restart.
 * @throws {Refusal} `invalid` for a tier that there is not or that is smaller than the present one, and for a static Space
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

/** @throws {Refusal} `invalid` for a Space without storage, static ones among them */
export function deleteStorage(deps: Deps, repo: Repo): SpaceRuntime {
  return change(deps, repo, ({ storage }) => {
    if (storage === undefined) throw new Refusal('invalid', 'This Space has no persistent storage')
    return { storage: undefined }
  })
}

/**
 * Has a Space mount volumes, in the place of those that it has.
 * @throws {Refusal} `invalid` for volumes that cannot be, and for a static Space
 */
export function setVolumes(deps: Deps, repo: Repo, volumes: readonly SpaceVolume[]): SpaceRuntime {
  return change(deps, repo, () => ({
    volumes: volumes.length === 0 ? undefined : requireVolumes(volumes),
  }))
}

/** @throws {Refusal} `invalid` for a Space without volumes, static ones among them */
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
  return runtimeOf(deps.state.repos.put({ ...repo, machine: changed }), false, stage)
}

function isStatic(deps: Deps, repo: Repo): boolean {
  return isStaticSpace(repo, readSpaceMetadata(deps, repo))
}
