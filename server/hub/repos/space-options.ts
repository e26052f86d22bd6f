import {
  spaceFlavors,
  type SpaceFlavor,
  storageTiers,
  type StorageTier,
} from '../../contract/words/hub.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type {
  Repo,
  SpaceMachine,
  SpaceSecret,
  SpaceVariable,
  SpaceVolume,
} from '../../state/entities/hub.ts'
import { freeFlavor } from './space-runtime.ts'

/** A secret as it is given; whoever gives its value along is not asked for it. */
export interface NamedSecret {
  readonly key: string
  readonly description?: string
}

export interface NamedVariable extends NamedSecret {
  readonly value: string
}

/** What a Space may be made with. */
export interface SpaceOptions {
  readonly hardware?: string
  readonly storageTier?: string
  readonly sleepTimeSeconds?: number
  readonly volumes?: readonly SpaceVolume[]
  readonly secrets?: readonly NamedSecret[]
  readonly variables?: readonly NamedVariable[]
}

/**
 * What a new Space begins with, the same as if each were asked for afterwards.
 * @param variables of the Space that it is a copy of: those that are given go in their place
 * @throws {Refusal} `invalid` for hardware, storage or a time that there is not, and for volumes that cannot be
 */
export function spaceParts(
  options: SpaceOptions,
  now: number,
  variables?: Repo['variables'],
): Pick<Repo, 'variables' | 'secrets' | 'machine'> {
  const { hardware, storageTier, sleepTimeSeconds, volumes = [], secrets } = options
  const machine: SpaceMachine = {
    ...(hardware === undefined ? {} : { hardware: requireFlavor(hardware) }),
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
 * A static Space may be asked for with the hardware that every other begins with, and with no other.
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

/** Without the value: what is not kept cannot be told. */
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
 * Repos are mounted to be read, whatever is asked for.
 * @throws {Refusal} `invalid` for what is no path in a container, or one twice
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
