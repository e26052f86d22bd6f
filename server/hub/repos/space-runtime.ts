import {
  spaceFlavors,
  type SpaceFlavor,
  type SpaceStage,
  type StorageTier,
} from '../../contract/words/hub.ts'
import type { Repo, SpaceVolume } from '../../state/entities/hub.ts'
import { spaceHost } from './space-sdk.ts'

/** Free default hardware of a Space. */
export const [freeFlavor] = spaceFlavors

/** Fixed sleep time on free hardware: two days without a visitor. */
const freeSleepTimeSeconds = 172_800

export interface SpaceRuntime {
  stage: SpaceStage
  hardware: { current: SpaceFlavor | null; requested: SpaceFlavor | null }
  storage: StorageTier | null
  /** Seconds without a visitor until it sleeps; `null` = never; absent for a static Space. */
  gcTimeout?: number | null
  replicas: { requested: number; current?: number }
  devMode: boolean
  /** Absent if there are none. */
  volumes?: readonly SpaceVolume[]
  domains: { domain: string; stage: 'READY' }[]
}

/**
 * Describes the hardware and stage of a Space. Nothing runs in a sandbox: a Space that is not paused counts as running.
 * @param stage overrides the stage of its state
 */
export function runtimeOf(
  repo: Pick<Repo, 'name' | 'machine'>,
  isStatic: boolean,
  stage?: SpaceStage,
): SpaceRuntime {
  const domains: SpaceRuntime['domains'] = [{ domain: spaceHost(repo, isStatic), stage: 'READY' }]
  if (isStatic) {
    return {
      stage: 'RUNNING',
      hardware: { current: null, requested: null },
      storage: null,
      replicas: { requested: 1, current: 1 },
      devMode: false,
      domains,
    }
  }
  const { hardware = freeFlavor, storage = null, paused = false, ...machine } = repo.machine ?? {}
  const { sleepTimeSeconds = -1, devMode = false, volumes } = machine
  const present = stage ?? (paused ? 'PAUSED' : 'RUNNING')
  const isUp = present === 'RUNNING'
  const ownSleepTime = sleepTimeSeconds === -1 ? null : sleepTimeSeconds
  return {
    stage: present,
    hardware: { current: isUp ? hardware : null, requested: hardware },
    storage,
    gcTimeout: hardware === freeFlavor ? freeSleepTimeSeconds : ownSleepTime,
    replicas: { requested: 1, ...(isUp ? { current: 1 } : {}) },
    devMode,
    ...(volumes === undefined ? {} : { volumes }),
    domains,
  }
}
