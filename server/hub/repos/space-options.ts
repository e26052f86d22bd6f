import {
  spaceFlavors,
  type SpaceFlavor,
  storageTiers,
  type StorageTier,
} from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type {
  Repo,
  SpaceMachine,
  SpaceSecret,
  SpaceVariable,
  SpaceVolume,
} from '../../store/entities/hub-entities.ts'
import { freeFlavor } from './space-runtime.ts'

/** Secret of a request; a value is accepted and not stored. */
export interface NamedSecret {
  readonly key: string
  readonly description?: string
}

export interface NamedVariable extends NamedSecret {
  readonly value: string
}

/** Options of a new Space. */
export interface SpaceOptions {
  readonly hardware?: string
  readonly storageTier?: string
  readonly sleepTimeSeconds?: number
  readonly devModeEnabled?: boolean
  readonly volumes?: readonly SpaceVolume[]
  readonly secrets?: readonly NamedSecret[]
  readonly variables?: readonly NamedVariable[]
}

/**
 * Builds the initial state of a Space, as if each option were set afterwards.
 * @param variables of the original of a duplicate; the options take precedence
 * @throws {Refusal} `invalid` for unknown hardware, storage or time, and for invalid volumes
 */
export function spaceParts(
  options: SpaceOptions,
  now: number,
  variables?: Repo['variables'],
): Pick<Repo, 'variables' | 'secrets' | 'machine'> {
  const { hardware, storageTier, sleepTimeSeconds, volumes = [], secrets } = options
  const machine: SpaceMachine = {
    ...(hardware === undefined ? {} : { hardware: requireFlavor(hardware) }),
    ...omitUndefined({ devMode: options.devModeEnabled }),
    ...(storageTier === undefined ? {} : { storage: requireTier(storageTier) }),
    ...(sleepTimeSeconds === undefined
      ? {}
      : { sleepTimeSeconds: requireSleepTime(sleepTimeSeconds) }),
    ...(volumes.length === 0 ? {} : { volumes: requireVolumes(volumes) }),
  }
  return omitUndefined({
    variables:
      options.variables === undefined
        ? variables
        : Object.fromEntries(options.variables.map((it) => [it.key, variableOf(it, now)])),
    secrets: secrets && Object.fromEntries(secrets.map((it) => [it.key, secretOf(it, now)])),
    machine: Object.keys(machine).length === 0 ? undefined : machine,
  })
}

/**
 * Checks the hardware of a new Space: a static one accepts only the default.
 * @throws {Refusal} `invalid`
 */
export function checkMachineOfNew(
  { machine = {} }: Pick<Repo, 'machine'>,
  isStatic: boolean,
): void {
  const { hardware = freeFlavor, storage, volumes } = machine
  const isMachine = hardware !== freeFlavor || storage !== undefined || volumes !== undefined
  if (isStatic && isMachine) refuseStatic()
}

/** @throws {Refusal} `invalid` */
export function refuseStatic(): never {
  throw new Refusal(
    'invalid',
    'This is a static Space: it is always running, and there is no hardware to change or to pause.',
  )
}

export function variableOf({ value, description }: NamedVariable, now: number): SpaceVariable {
  return { value, ...omitUndefined({ description }), updatedAt: now }
}

/** Builds a secret without its value, which is not stored. */
export function secretOf({ description }: NamedSecret, now: number): SpaceSecret {
  return { ...omitUndefined({ description }), updatedAt: now }
}

/** @throws {Refusal} `invalid` */
export function requireFlavor(name: string): SpaceFlavor {
  return requireOne(spaceFlavors, name, 'hardware')
}

/** @throws {Refusal} `invalid` */
export function requireTier(name: string): StorageTier {
  return requireOne(storageTiers, name, 'storage')
}

/** @throws {Refusal} `invalid` */
export function requireSleepTime(seconds: number): number {
  if (seconds === -1 || seconds > 0) return seconds
  throw new Refusal(
    'invalid',
    'A sleep time is a number of seconds, or -1 for a Space that never sleeps',
  )
}

/**
 * Checks volumes. Repos are always mounted read-only.
 * @throws {Refusal} `invalid` for an invalid or repeated mount path
 */
export function requireVolumes(volumes: readonly SpaceVolume[]): SpaceVolume[] {
  const seen = new Set<string>()
  return volumes.map((volume) => {
    const { type, source, mountPath } = volume
    if (!/^[^/]+\/[^/]+$/.test(source)) {
      throw new Refusal('invalid', `The source of a volume is namespace/name, not ${source}`)
    }
    if (!mountPath.startsWith('/')) {
      throw new Refusal('invalid', `The mount path of a volume begins with a slash: ${mountPath}`)
    }
    if (seen.has(mountPath)) {
      throw new Refusal('invalid', `Several volumes have the mount path ${mountPath}`)
    }
    seen.add(mountPath)
    return type === 'bucket' ? volume : { ...volume, readOnly: true }
  })
}

function requireOne<Word extends string>(words: readonly Word[], name: string, what: string): Word {
  const found = words.find((word) => word === name)
  if (found !== undefined) return found
  throw new Refusal('invalid', `Unknown ${what}: ${name}. It is one of ${words.join(', ')}`)
}
