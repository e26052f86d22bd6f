import {
  type FlagKey,
  flagList,
  flags,
  type FlagValues,
  type SettingFlags,
  type StartFlags,
} from '../../contract/flags.ts'
import type { FixturesConfig } from '../../contract/fixtures-types.ts'
import type { SandboxOptions } from '../../contract/options-types.ts'
import { type Issue, joinPath } from '../../core/config-error.ts'
import { environmentName } from '../../core/flag-names.ts'
import { own } from '../../core/own.ts'
import { nearest, suggestion } from '../../contract/suggestion.ts'
import type { Caller } from './callers.ts'
import { defaultOf } from './flag-texts.ts'
import { readFlag } from './read-flag.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Options of `startSandbox` that are not flags. */
const optionsOfCode = ['clock'] satisfies (keyof SandboxOptions)[]

interface Found {
  value: unknown
  /** Name that the user wrote. */
  name: string
  rank: number
}

/** Flags from all sources; the first one has precedence. */
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
    this.issues.push(...variableIssues(env))
    this.#add(
      0,
      (key) => caller.name(key),
      (key) => options[key],
    )
    // Shells and CI files use an empty variable for "not set".
    this.#add(1, environmentName, (key) => own(env, environmentName(key)) || undefined)
  }

  /** Adds the config of a fixtures file; flags that files may not set are ignored. */
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
      // Fixtures written in code are not a flag value.
      if (raw === undefined || (inCode !== undefined && typeof raw === 'object')) continue
      const reading = readFlag(flag, raw)
      if ('problem' in reading) this.issues.push({ path: name(key), message: reading.problem })
      else if (!this.#found.has(key)) {
        this.#found.set(key, { value: reading.value, name: name(key), rank })
      }
    }
  }

  /** Returns the given value. */
  given<Key extends FlagKey>(key: Key): FlagValues[Key] | undefined {
    return this.#found.get(key)?.value as FlagValues[Key] | undefined
  }

  /** Returns the given value or the default. */
  value<Key extends FlagKey>(key: Key): FlagValues[Key] {
    return this.given(key) ?? (defaultOf(flags[key], this.#caller.starter) as FlagValues[Key])
  }

  /** Returns the values that are passed unchanged. */
  handedTo(part: 'start'): StartFlags
  handedTo(part: 'settings'): SettingFlags
  handedTo(part: string): Partial<FlagValues> {
    const entries = flagList
      .filter((flag) => flag.handedTo === part)
      .map(({ key }) => [key, this.value(key)] as const)
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
  }

  /** Returns the source of a value: 0 option, 1 environment, 2 file. */
  rank(key: FlagKey): number {
    return this.#found.get(key)?.rank ?? Infinity
  }

  /** Name that the user wrote. */
  nameOf(key: FlagKey): string {
    return this.#found.get(key)?.name ?? key
  }

  refuse(key: FlagKey, message: string): void {
    this.issues.push({ path: this.nameOf(key), message })
  }
}

const variablePrefix = environmentName('')

/** Variables of the package that are no flags, without their prefix. */
const otherVariables = ['URL', 'INTERCEPT', 'PROXY', 'PROXY_SPKI', 'NO_CODE_CACHE']

/** Reports unknown variables that are like a known one; others may belong to the user's own scripts. */
function variableIssues(env: Environment): Issue[] {
  const given = Object.keys(env)
    .filter((name) => name.startsWith(variablePrefix) && Boolean(own(env, name)))
    .map((name) => name.slice(variablePrefix.length))
  if (given.length === 0) return []
  const known = [
    ...flagList.map(({ key }) => environmentName(key).slice(variablePrefix.length)),
    ...otherVariables,
  ]
  return given.flatMap((name) => {
    const near = known.includes(name) ? undefined : nearest(name, known)
    if (near === undefined) return []
    const message = `is not a known variable (did you mean ${variablePrefix}${near}?)`
    return [{ path: `${variablePrefix}${name}`, message }]
  })
}
