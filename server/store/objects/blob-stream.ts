import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { Readable } from 'node:stream'
import { fileError, StateError } from '../errors.ts'
import type { LooseFiles } from './loose-files.ts'
import type { BlobRange } from './object-store.ts'

/** Contents up to this size are read into memory synchronously, which is much faster. */
export const inMemoryBytes = 1024 * 1024

/** Streams bytes as one chunk, or none: an empty chunk would end the stream for some readers. */
export function streamOf(bytes: Uint8Array): Readable {
  return Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false })
}

/** Streams a file of the disk, or a part of it; it fails with a StateError when the disk refuses it. */
export function readFileRange(file: string, range?: BlobRange): Readable {
  const stream = createReadStream(file, range && { start: range.start, end: range.end - 1 })
  const destroy = stream.destroy.bind(stream)
  // Readers may end it with errors of their own.
  stream.destroy = (error) =>
    destroy(error !== undefined && 'syscall' in error ? fileError('read', file, error) : error)
  return stream
}

/**
 * Reads a small part of a file of the disk at once.
 * @throws {StateError} when the disk refuses it, or the file ends before the part does
 */
export function readFilePart(file: string, { start, end }: BlobRange): Buffer {
  const bytes = Buffer.alloc(end - start)
  let length: number
  try {
    const descriptor = openSync(file, 'r')
    try {
      length = readSync(descriptor, bytes, 0, bytes.length, start)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw fileError('read', file, error)
  }
  if (length === bytes.length) return bytes
  throw new StateError(`${file} is damaged: it ends after ${start + length} bytes`, { file })
}

/** Streams the content of an object's file, decompressed by a thread. */
export function openLoose(files: LooseFiles, id: string, range?: BlobRange): Readable {
  return Readable.from(unpack(files, id, range), { objectMode: false })
}

async function* unpack(files: LooseFiles, id: string, range?: BlobRange) {
  const { content } = await files.readWhole(id)
  const part = range === undefined ? content : content.subarray(range.start, range.end)
  if (part.length > 0) yield part
}
