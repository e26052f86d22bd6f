import type { FixturesConfig } from '../contract/fixtures-types.ts'
import type { Caller } from './callers.ts'
import { environmentName, flags } from './flags.ts'
import { suggestion } from '../core/suggestion.ts'
import { type Issue, joinPath } from '../core/config-error.ts'
import type { DeliveryProfile, LogLevel, SandboxOptions } from './options.ts'
import { type FlagValue, readFlag } from './read-flag.ts'
import { own } from '../core/own.ts'

export type Environment = Readonly<Record<string, string | undefined>>

type Key = keyof SandboxOptions

/** What {@link readFlag} makes of each flag: one form, however it was written. */
export interface FlagValues {
  port: number
  host: readonly string[]
  baseUrl: string
  https: boolean
  fixtures: string
  data: string
  ephemeral: boolean
  reset: boolean
  autoApprove: boolean | string
  deliveryProfile: DeliveryProfile
  rateLimits: boolean
  strict: boolean
  seed: number
  allowHost: readonly string[]
  allowOrigin: readonly string[]
  allowNetwork: boolean
  runJobs: Readonly<Record<string, string>>
  runJobsEnv: readonly string[]
  controlToken: boolean | string
  logLevel: LogLevel
  open: boolean
  json: boolean
}

interface Found {
  value: FlagValue
  /** What the user wrote it as. */
  name: string
  rank: number
}

/** The flags from every place where they can be set; what comes first counts. */
export class FlagSources {
  readonly issues: Issue[] = []
  readonly #found = new Map<Key, Found>()

  constructor(options: SandboxOptions, env: Environment, caller: Caller) {
    const known = flags.map(({ key }) => key as string)
    for (const [key, value] of Object.entries(options)) {
      if (known.includes(key) || value === undefined) continue
      this.issues.push({
        path: caller.name(key),
        message: `is not a known option${suggestion(key, known)}`,
      })
    }
    this.#add(
      0,
      (key) => caller.name(key),
      (key) => options[key],
    )
    // An empty variable is how shells and CI files say "not set".
    this.#add(1, environmentName, (key) => own(env, environmentName(key)) || undefined)
  }

  /** Adds what a fixtures file says; flags that files may not set are not looked at. */
  addFile(config: FixturesConfig): void {
    const ofFile = new Set(flags.filter((flag) => !flag.neverFromFile).map(({ key }) => key))
    const values = config as Partial<Record<Key, unknown>>
    this.#add(
      2,
      (key) => joinPath('config', key),
      (key) => (ofFile.has(key) ? values[key] : undefined),
    )
  }

  #add(rank: number, name: (key: Key) => string, read: (key: Key) => unknown): void {
    for (const { key, type } of flags) {
      const raw = read(key)
      // Fixtures that are written in code are no flag's value.
      if (raw === undefined || (key === 'fixtures' && typeof raw === 'object')) continue
      const reading = readFlag(type, raw)
      if ('problem' in reading) this.issues.push({ path: name(key), message: reading.problem })
      else if (!this.#found.has(key)) {
        this.#found.set(key, { value: reading.value, name: name(key), rank })
      }
    }
  }

  /** The value that counts; its type follows from the kind of the flag. */
  get<K extends Key>(key: K): FlagValues[K] | undefined {
    return this.#found.get(key)?.value as FlagValues[K] | undefined
  }

  /** Where the value comes from: 0 an option, 1 the environment, 2 the file. */
  rank(key: Key): number {
    return this.#found.get(key)?.rank ?? Infinity
  }

  refuse(key: Key, message: string): void {
    this.issues.push({ path: this.#found.get(key)?.name ?? key, message })
  }
}
