import { isObject } from '../../core/is-object.ts'
import type { Flag } from '../../contract/flags.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import { suggestion } from '../../contract/suggestion.ts'
import { kindOf, schemaOf } from './flag-kind.ts'

export type FlagReading = { value: unknown } | { problem: string }

const yes = new Set(['1', 'true', 'yes', 'on'])
const no = new Set(['0', 'false', 'no', 'off'])

/**
 * Parses the value of a flag: a string from the command line or the environment, or a value
 * from code or a file.
 */
export function readFlag(flag: Flag, raw: unknown): FlagReading {
  switch (kindOf(flag)) {
    case 'switch':
      return readBoolean(raw)
    case 'text':
      return typeof raw === 'string' && raw !== ''
        ? { value: raw }
        : { problem: `must be a string, not ${show(raw)}` }
    case 'integer':
      return readInteger(schemaOf(flag), raw)
    case 'choice':
      return readChoice(schemaOf(flag), raw)
    case 'list':
      return readList(raw)
    case 'pairs':
      return readPairs(raw)
    default:
      return readBooleanOrText(raw)
  }
}

function show(raw: unknown): string {
  // Number() of an unset variable is NaN, which JSON lacks.
  if (typeof raw === 'number') return String(raw)
  return JSON.stringify(raw) ?? typeof raw
}

function readBoolean(raw: unknown): FlagReading {
  if (typeof raw === 'boolean') return { value: raw }
  if (typeof raw === 'string') {
    const word = raw.toLowerCase()
    if (yes.has(word)) return { value: true }
    if (no.has(word)) return { value: false }
  }
  return { problem: `must be true or false, not ${show(raw)}` }
}

function readInteger({ minimum, maximum }: JsonSchema, raw: unknown): FlagReading {
  const value = typeof raw === 'string' && /^[+-]?\d+$/.test(raw.trim()) ? Number(raw) : raw
  const fits =
    Number.isSafeInteger(value) &&
    (value as number) >= (minimum ?? -Infinity) &&
    (value as number) <= (maximum ?? Infinity)
  if (fits) return { value }
  const range = minimum === undefined ? '' : ` from ${minimum} to ${maximum ?? 'any'}`
  return { problem: `must be a whole number${range}, not ${show(raw)}` }
}

function readChoice({ enum: choices = [] }: JsonSchema, raw: unknown): FlagReading {
  if (choices.includes(raw)) return { value: raw }
  const names = choices.map(String)
  return {
    problem: `must be one of ${names.join(', ')}, not ${show(raw)}${suggestion(raw, names)}`,
  }
}

function readList(raw: unknown): FlagReading {
  const items = Array.isArray(raw) ? raw : [raw]
  if (!items.every((item) => typeof item === 'string')) {
    return { problem: `must be a string or a list of strings, not ${show(raw)}` }
  }
  const values = items.flatMap((item) => item.split(',')).map((item) => item.trim())
  return { value: values.filter((item) => item !== '') }
}

function readPairs(raw: unknown): FlagReading {
  if (isObject(raw)) {
    const bad = Object.entries(raw).find(([, command]) => typeof command !== 'string')
    return bad === undefined
      ? { value: raw }
      : { problem: `the command of ${bad[0]} must be a string, not ${show(bad[1])}` }
  }
  const items = Array.isArray(raw) ? raw : splitPairs(raw)
  const pairs: [string, string][] = []
  for (const item of items) {
    const separator = typeof item === 'string' ? item.indexOf('=') : -1
    if (typeof item !== 'string' || separator < 1 || separator === item.length - 1) {
      return { problem: `must be IMAGE=COMMAND, not ${show(item)}` }
    }
    pairs.push([item.slice(0, separator), item.slice(separator + 1)])
  }
  return { value: Object.fromEntries(pairs) }
}

/** Splits at commas before an `IMAGE=`: commands may contain commas. */
function splitPairs(raw: unknown): unknown[] {
  return typeof raw === 'string' ? raw.split(/,(?=[^\s=,]+=)/) : [raw]
}

/** Reads `--auto-approve=no` as a boolean rather than a username. */
function readBooleanOrText(raw: unknown): FlagReading {
  const asBoolean = readBoolean(raw)
  if ('value' in asBoolean) return asBoolean
  return typeof raw === 'string'
    ? { value: raw }
    : { problem: `must be a string, not ${show(raw)}` }
}
