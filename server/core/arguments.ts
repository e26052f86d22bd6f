import { isObject } from './is-object.ts'
import { longestTimerMs } from '../contract/fixtures/limits.ts'
import { suggestion } from './suggestion.ts'

/** Every key of a type, so that none can be forgotten. */
export type KeysOf<T> = Readonly<Record<keyof T, true>>

/**
 * Refuses a key that says nothing of what is looked for: left unread, it would let anything pass.
 * @param caller how the function is called: `expectRequest()`
 * @throws {TypeError}
 */
export function refuseUnknownKeys(caller: string, match: object, known: readonly string[]): void {
  const unknown = unknownKey(match, known)
  if (unknown !== undefined) throw new TypeError(`${caller} cannot match by ${unknown}`)
}

/**
 * The options of a call: one that it does not know would be left unread, and the call do something else than was meant.
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
 * What a call sends as it is, checked by the sandbox as long as it is an object.
 * @param example what it may look like
 * @throws {TypeError}
 */
export function takeObject<T>(caller: string, value: T, example: string): T {
  if (isObject(value)) return value
  throw new TypeError(`${caller} takes an object such as ${example}, not ${JSON.stringify(value)}`)
}

/**
 * For how long a call waits. A longer time, and what is no number, would be over at once for a timer.
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
 * A point in time as the sandbox is told it.
 * @param what `since`, or how the function is called
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
 * A function that says of something whether it is meant: an async one would seem to mean everything.
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
    throw new TypeError(`${caller} takes a function that tells at once, not an async one`)
  }
}

/** A value as its user wrote it, more or less. */
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
