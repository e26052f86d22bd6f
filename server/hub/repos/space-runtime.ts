import {
  spaceFlavors,
  type SpaceFlavor,
  type SpaceStage,
  type StorageTier,
} from '../../contract/words/hub-words.ts'
import type { Repo, SpaceMachine, SpaceVolume } from '../../store/entities/hub-entities.ts'
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

type RunningRepo = Pick<Repo, 'name' | 'machine' | 'updatedAt'>

/** Returns the idle seconds after which a Space sleeps; `null` = never. Free hardware has a fixed time. */
function sleepTimeOf({
  hardware = freeFlavor,
  sleepTimeSeconds = -1,
}: SpaceMachine): number | null {
  if (hardware === freeFlavor) return freeSleepTimeSeconds
  return sleepTimeSeconds === -1 ? null : sleepTimeSeconds
}

/**
 * Returns the stage of a Space. Nothing runs in a sandbox: a Space runs until it is paused, or nobody has changed, started
 * or visited it for its sleep time.
 * @param now milliseconds since 1970 on the sandbox clock
 */
export function stageOf({ machine = {}, updatedAt }: RunningRepo, now: number): SpaceStage {
  if (machine.paused === true) return 'PAUSED'
  const sleepTime = sleepTimeOf(machine)
  const idleMs = now - Math.max(updatedAt, machine.activeAt ?? 0)
  return sleepTime !== null && idleMs >= sleepTime * 1000 ? 'SLEEPING' : 'RUNNING'
}

/**
 * Describes the hardware and stage of a Space.
 * @param now milliseconds since 1970 on the sandbox clock
 * @param stage overrides the stage of its state
 */
export function runtimeOf(
  repo: RunningRepo,
  isStatic: boolean,
  now: number,
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
  const { machine = {} } = repo
  const { hardware = freeFlavor, storage = null, devMode = false, volumes } = machine
  const present = stage ?? stageOf(repo, now)
  const isUp = present === 'RUNNING'
  return {
    stage: present,
    hardware: { current: isUp ? hardware : null, requested: hardware },
    storage,
    gcTimeout: sleepTimeOf(machine),
    replicas: { requested: 1, ...(isUp ? { current: 1 } : {}) },
    devMode,
    ...(volumes === undefined ? {} : { volumes }),
    domains,
  }
}
