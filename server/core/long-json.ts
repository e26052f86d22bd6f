import { own } from './own.ts'
import type { SteppedWork } from './slices.ts'

/** Length of a value that is written at once. */
const shortLength = 64 * 1024

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

/**
 * Writes a value of any length as JSON.stringify does, part by part.
 * @param escape escapes characters of a part
 */
export function* writeJson(
  value: unknown,
  escape: (json: string) => string = (json) => json,
): SteppedWork<Buffer> {
  const parts: Buffer[] = []
  let text = ''
  yield* writeParts(value, (more) => {
    text += more
    if (text.length < shortLength) return
    parts.push(Buffer.from(escape(text)))
    text = ''
  })
  return Buffer.concat([...parts, Buffer.from(escape(text))])
}

function* writeParts(value: unknown, add: (text: string) => void): SteppedWork<void> {
  yield
  const isShort = roughJsonLength(value, shortLength) < shortLength
  if (isShort || typeof value !== 'object' || value === null) {
    add(JSON.stringify(value) ?? 'null')
    return
  }
  const isList = Array.isArray(value)
  let isFirst = true
  add(isList ? '[' : '{')
  for (const key of Object.keys(value)) {
    const member = own(value as Members, key)
    if (member === undefined && !isList) continue
    if (!isFirst) add(',')
    isFirst = false
    if (!isList) add(`${JSON.stringify(key)}:`)
    yield* writeParts(member, add)
  }
  add(isList ? ']' : '}')
}
