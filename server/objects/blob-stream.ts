import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { LooseFiles } from './loose-files.ts'
import type { BlobRange } from './object-store.ts'

/** Contents up to this size are read and kept in memory synchronously, which is faster by far. */
export const inMemoryBytes = 1024 * 1024

/** Streams bytes as one chunk, or none: an empty chunk would end the stream for some readers. */
export function streamOf(bytes: Uint8Array): Readable {
  return Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false })
}

/** Streams a file of the disk, or a part of it. */
export function readFileRange(file: string, range?: BlobRange): Readable {
  return createReadStream(file, range && { start: range.start, end: range.end - 1 })
}

/** Streams the content of an object's file, which a thread unpacks. */
export function openLoose(files: LooseFiles, id: string, range?: BlobRange): Readable {
  return Readable.from(unpack(files, id, range), { objectMode: false })
}

async function* unpack(files: LooseFiles, id: string, range?: BlobRange) {
  const { content } = await files.readWhole(id)
  const part = range === undefined ? content : content.subarray(range.start, range.end)
  if (part.length > 0) yield part
}
