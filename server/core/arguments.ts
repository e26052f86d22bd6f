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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unknownKey(object: object, known: readonly string[]): string | undefined {
  const key = Object.keys(object).find((name) => !known.includes(name))
  if (key === undefined) return undefined
  return `${JSON.stringify(key)}${suggestion(key, known) || `; known are ${known.join(', ')}`}`
}
