import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { BlobRange } from './object-store.ts'

const passing = new WeakSet<Uint8Array>()

/** A file, or a part of it. Its parts are nobody's but the reader's, see {@link isPassing}. */
export function readFileRange(file: string, range?: BlobRange): Readable {
  const stream = createReadStream(file, range && { start: range.start, end: range.end - 1 })
  const push = stream.push.bind(stream)
  stream.push = (part: unknown, encoding) => {
    if (part instanceof Uint8Array) passing.add(part)
    return push(part, encoding)
  }
  return stream
}

/** Whether these bytes were read from a file for whoever has them, and may be given back when they were sent. */
export function isPassing(bytes: unknown): bytes is Uint8Array {
  return bytes instanceof Uint8Array && passing.has(bytes)
}
