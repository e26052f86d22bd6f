import { suggestion } from '../core/suggestion.ts'

/**
 * Refuses a key that says nothing of what is looked for: left unread, it would let anything pass.
 * @param caller how the function is called: `expectRequest()`
 * @throws {TypeError}
 */
export function refuseUnknownKeys(caller: string, match: object, known: readonly string[]): void {
  const key = Object.keys(match).find((name) => !known.includes(name))
  if (key === undefined) return
  const hint = suggestion(key, known) || `; known are ${known.join(', ')}`
  throw new TypeError(`${caller} cannot match by ${JSON.stringify(key)}${hint}`)
}
