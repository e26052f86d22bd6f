import {
  type FlagKey,
  flagList,
  flags,
  type FlagValues,
  type SettingFlags,
  type StartFlags,
} from '../contract/flags.ts'
import type { FixturesConfig } from '../contract/fixtures-types.ts'
import type { SandboxOptions } from '../contract/options-types.ts'
import { type Issue, joinPath } from '../core/config-error.ts'
import { environmentName } from '../core/flag-names.ts'
import { own } from '../core/own.ts'
import { suggestion } from '../core/suggestion.ts'
import type { Caller } from './callers.ts'
import { defaultOf } from './flag-texts.ts'
import { readFlag } from './read-flag.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Options of `startSandbox` that are no flag. */
const optionsOfCode = ['clock'] satisfies (keyof SandboxOptions)[]

interface Found {
  value: unknown
  /** What the user wrote it as. */
  name: string
  rank: number
}

/** The flags from every place where they can be set; what comes first counts. */
export class FlagSources {
  readonly issues: Issue[] = []
  readonly #caller: Caller
  readonly #found = new Map<FlagKey, Found>()

  constructor(options: SandboxOptions, env: Environment, caller: Caller) {
    this.#caller = caller
    const known = [...Object.keys(flags), ...optionsOfCode]
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
    const values: Partial<Record<FlagKey, unknown>> = config
    this.#add(
      2,
      (key) => joinPath('config', key),
      (key) => ('neverFromFile' in flags[key] ? undefined : values[key]),
    )
  }

  #add(rank: number, name: (key: FlagKey) => string, read: (key: FlagKey) => unknown): void {
    for (const flag of flagList) {
      const { key, inCode } = flag
      const raw = read(key)
      // Fixtures that are written in code are no flag's value.
      if (raw === undefined || (inCode !== undefined && typeof raw === 'object')) continue
      const reading = readFlag(flag, raw)
      if ('problem' in reading) this.issues.push({ path: name(key), message: reading.problem })
      else if (!this.#found.has(key)) {
        this.#found.set(key, { value: reading.value, name: name(key), rank })
      }
    }
  }

  /** What somebody has said. */
  given<Key extends FlagKey>(key: Key): FlagValues[Key] | undefined {
    return this.#found.get(key)?.value as FlagValues[Key] | undefined
  }

  /** What counts: what somebody has said, else the default. */
  value<Key extends FlagKey>(key: Key): FlagValues[Key] {
    return this.given(key) ?? (defaultOf(flags[key], this.#caller.starter) as FlagValues[Key])
  }

  /** The values that are handed on as they are. */
  handedTo(part: 'start'): StartFlags
  handedTo(part: 'settings'): SettingFlags
  handedTo(part: string): Partial<FlagValues> {
    const entries = flagList
      .filter((flag) => flag.handedTo === part)
      .map(({ key }) => [key, this.value(key)] as const)
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }

  /** Where the value comes from: 0 an option, 1 the environment, 2 the file. */
  rank(key: FlagKey): number {
    return this.#found.get(key)?.rank ?? Infinity
  }

  /** What the user wrote it as. */
  nameOf(key: FlagKey): string {
    return this.#found.get(key)?.name ?? key
  }

  refuse(key: FlagKey, message: string): void {
    this.issues.push({ path: this.nameOf(key), message })
  }
}
