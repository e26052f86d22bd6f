import { isObject } from './is-object.ts'
import { longestTimerMs } from '../contract/fixtures/limits.ts'
import { suggestion } from '../contract/suggestion.ts'

/** Lists every key of a type; the compiler reports a missing one. */
export type KeysOf<T> = Readonly<Record<keyof T, true>>

/**
 * Refuses an unknown key; ignored, it would let everything match.
 * @param caller name of the function: `expectRequest()`
 * @throws {TypeError}
 */
export function refuseUnknownKeys(caller: string, match: object, known: readonly string[]): void {
  const unknown = unknownKey(match, known)
  if (unknown !== undefined) throw new TypeError(`${caller} cannot match by ${unknown}`)
}

/**
 * Checks the options of a call: an unknown one is refused rather than ignored.
 * @throws {TypeError}
 */
export function takeOptions<T extends object>(
  caller: string,
  options: T = {} as T,
  keys: KeysOf<T>,
): T {
  if (!isObject(options)) {
    throw new TypeError(`${caller} takes an object of options, not ${JSON.stringify(options)}`)
  }
  const unknown = unknownKey(options, Object.keys(keys))
  if (unknown !== undefined) throw new TypeError(`${caller} has no option ${unknown}`)
  return options
}

/**
 * Checks that an argument is an object; the sandbox checks its contents.
 * @param example example of a valid argument
 * @throws {TypeError}
 */
export function takeObject<T>(caller: string, value: T, example: string): T {
  if (isObject(value)) return value
  throw new TypeError(`${caller} takes an object such as ${example}, not ${JSON.stringify(value)}`)
}

/**
 * Checks a timeout: a timer would fire at once for a longer time or an invalid number.
 * @returns milliseconds
 * @throws {TypeError}
 */
export function takeTimeout(caller: string, timeoutMs: unknown, otherwise: number): number {
  if (timeoutMs === undefined) return otherwise
  if (typeof timeoutMs === 'number' && timeoutMs >= 0 && timeoutMs <= longestTimerMs) {
    return timeoutMs
  }
  throw new TypeError(
    `${caller} takes timeoutMs from 0 to ${longestTimerMs}, not ${show(timeoutMs)}`,
  )
}

/**
 * Converts a point in time for the sandbox.
 * @param what `since`, or the name of the function
 * @returns ISO 8601
 * @throws {TypeError}
 */
export function takeTime(what: string, time: Date | string): string {
  const date = new Date(time)
  if (!Number.isNaN(date.getTime())) return date.toISOString()
  throw new TypeError(
    `${what} takes a Date or a time such as 2030-01-01T00:00:00Z, not ${show(time)}`,
  )
}

/**
 * Checks a predicate: an async one would match everything.
 * @throws {TypeError}
 */
export function takeMatcher<T>(
  caller: string,
  matches: (value: T) => boolean,
  example: string,
): (value: T) => boolean {
  if (typeof matches !== 'function') {
    throw new TypeError(`${caller} takes a function such as ${example}, not ${show(matches)}`)
  }
  return (value) => {
    const matched: unknown = matches(value)
    if (typeof (matched as PromiseLike<unknown> | undefined)?.then !== 'function') return !!matched
    throw new TypeError(`${caller} takes a synchronous function, not an async one`)
  }
}

/** Formats a value roughly as its user wrote it. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  const isWritten = /RegExp|Date/.test(Object.prototype.toString.call(value))
  return typeof value === 'object' && !isWritten ? JSON.stringify(value) : String(value)
}

function unknownKey(object: object, known: readonly string[]): string | undefined {
  const key = Object.keys(object).find((name) => !known.includes(name))
  if (key === undefined) return undefined
  return `${JSON.stringify(key)}${suggestion(key, known) || `; known are ${known.join(', ')}`}`
}
