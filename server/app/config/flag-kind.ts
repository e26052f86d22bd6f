import type { Flag } from '../../contract/flags.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { own } from '../../core/own.ts'

/** Syntax of a flag value. */
export type FlagKind =
  | 'switch'
  | 'text'
  | 'integer'
  | 'choice'
  /** Repeatable; lists with commas in the environment. */
  | 'list'
  /** Repeatable NAME=VALUE. */
  | 'pairs'
  /** With or without a value: `--auto-approve`, `--auto-approve=bob`. */
  | 'switch-or-text'

const ofType: Readonly<Record<string, FlagKind>> = {
  boolean: 'switch',
  string: 'text',
  integer: 'integer',
  array: 'list',
  object: 'pairs',
}

/** Returns the schema of a flag as plain JSON Schema. */
export function schemaOf({ schema }: Flag): JsonSchema {
  return schema
}

/** @throws {TypeError} for a type without a flag syntax */
export function kindOf(flag: Flag): FlagKind {
  const { anyOf, enum: choices, type = '' } = schemaOf(flag)
  if (anyOf !== undefined) return 'switch-or-text'
  if (choices !== undefined) return 'choice'
  const kind = own(ofType, type)
  if (kind === undefined) throw new TypeError(`no flag can be written as ${type}`)
  return kind
}

export function isRepeatable(flag: Flag): boolean {
  return ['list', 'pairs'].includes(kindOf(flag))
}
