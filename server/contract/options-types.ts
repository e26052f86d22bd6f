import type { Static, TSchema } from 'typebox'
import type { FlagKey, flags, FlagValues } from './flags.ts'

export type { DeliveryProfileName as DeliveryProfile } from './words/webhook-words.ts'
export type { LogLevel } from './words/sandbox-words.ts'

/** Value of a flag in code. */
type Accepted<Value> = [Value] extends [string[]]
  ? string | readonly string[]
  : [Value] extends [Record<string, string>]
    ? Readonly<Record<string, string>> | string | readonly string[]
    : Value

/** Further value that only code can give. */
type InCode<Key extends FlagKey> = (typeof flags)[Key] extends {
  inCode: infer Schema extends TSchema
}
  ? Static<Schema>
  : never

/**
 * Options of `startSandbox`: the flags of the command line in camelCase. All are optional; defaults come from the
 * `config` section of the fixtures.
 */
export type SandboxOptions = {
  [Key in FlagKey]?: Accepted<NonNullable<FlagValues[Key]>> | InCode<Key>
} & {
  /** Start of the sandbox clock; takes precedence over `clock` in the fixtures. */
  clock?: { now?: Date | string; frozen?: boolean }
}
