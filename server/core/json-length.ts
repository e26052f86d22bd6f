import { own } from './own.ts'

/**
 * Estimates the length of a value as JSON with far less work than writing it; escapes do not count.
 * @param most length at which the estimate ends
 */
export function roughJsonLength(value: unknown, most = Infinity): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let length = 2
  for (const key in value) {
    if (length > most) break
    length += key.length + 4 + roughJsonLength(own(value as Members, key), most - length)
  }
  return length
}

type Members = Readonly<Record<string, unknown>>
