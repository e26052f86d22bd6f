import { CommandError } from './command-error.ts'
import type { ConnectOptions } from './connect.ts'

/** Options of every command that calls a sandbox. */
export interface ControlOptions extends ConnectOptions {
  json?: boolean
}

/** Options of list commands. */
export interface ListOptions extends ControlOptions {
  limit?: string
}

/** Largest page of the control API. */
const mostListed = 1000

/** @throws {CommandError} with exit code 2 */
export function readLimit({ limit = '100' }: ListOptions): number {
  const number = Number(limit)
  if (Number.isInteger(number) && number >= 1 && number <= mostListed) return number
  throw new CommandError(`--limit must be a whole number from 1 to ${mostListed}, not ${limit}`, {
    exitCode: 2,
  })
}

/** @throws {CommandError} with exit code 2 */
export function readWholeNumber(flag: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new CommandError(`${flag} must be a whole number, not ${text}`, { exitCode: 2 })
}

/** Parses `name=value`. @throws {CommandError} with exit code 2 */
export function readPair(
  flag: string,
  text: string,
  form = 'name=value',
): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  throw new CommandError(`${flag} must be ${form}, not ${text}`, { exitCode: 2 })
}

/** Parses JSON, or returns the plain string: most values need no quotes. */
export function readJsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
