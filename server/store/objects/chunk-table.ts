import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { errorCode, fileError, StateError } from '../errors.ts'

const hashBytes = 32
const entryBytes = hashBytes + 4
const countBytes = 4

/** Chunk of a xorb. */
export interface KeptChunk {
  /** 32 bytes. */
  readonly hash: Uint8Array
  /** Bytes of its content. */
  readonly length: number
}

/** The chunks of a xorb, in a few bytes each: their hashes, and where their contents begin. */
export class ChunkTable {
  readonly count: number
  readonly #entries: Buffer
  /** First byte of each chunk, and the end of the last. */
  readonly #starts: Uint32Array

  /** @param entries hash and length of each chunk */
  constructor(entries: Buffer) {
    this.#entries = entries
    this.count = entries.length / entryBytes
    this.#starts = new Uint32Array(this.count + 1)
    for (let index = 0; index < this.count; index++) {
      const length = entries.readUInt32LE(index * entryBytes + hashBytes)
      this.#starts[index + 1] = this.startOf(index) + length
    }
  }

  /** Returns the hash of a chunk: 32 bytes. */
  hashOf(index: number): Buffer {
    return this.#entries.subarray(index * entryBytes, index * entryBytes + hashBytes)
  }

  /** Returns the bytes of a chunk's content. */
  lengthOf(index: number): number {
    return this.startOf(index + 1) - this.startOf(index)
  }

  /** Returns the first byte of a chunk's content; for `count`, the end of the content. */
  startOf(index: number): number {
    return this.#starts[index] ?? 0
  }

  has(hash: Uint8Array): boolean {
    for (
      let at = this.#entries.indexOf(hash);
      at !== -1;
      at = this.#entries.indexOf(hash, at + 1)
    ) {
      if (at % entryBytes === 0) return true
    }
    return false
  }
}

/** Formats the end of a xorb file: its chunks, and their number. */
export function formatChunks(chunks: readonly KeptChunk[]): Buffer {
  const table = Buffer.alloc(chunks.length * entryBytes + countBytes)
  for (const [index, { hash, length }] of chunks.entries()) {
    table.set(hash, index * entryBytes)
    table.writeUInt32LE(length, index * entryBytes + hashBytes)
  }
  table.writeUInt32LE(chunks.length, chunks.length * entryBytes)
  return table
}

/** Parses the result of {@link formatChunks} at the end of these bytes. */
export function parseChunks(bytes: Buffer): ChunkTable {
  const end = bytes.length - countBytes
  return new ChunkTable(bytes.subarray(end - bytes.readUInt32LE(end) * entryBytes, end))
}

/** Separates the content of a xorb from its chunks, which follow it. */
export function splitXorb(bytes: Buffer): { content: Buffer; chunks: KeptChunk[] } {
  const table = parseChunks(bytes)
  const chunks = Array.from({ length: table.count }, (_, index) => ({
    hash: table.hashOf(index),
    length: table.lengthOf(index),
  }))
  return { content: bytes.subarray(0, table.startOf(table.count)), chunks }
}

/**
 * Reads the chunks of a xorb from its file.
 * @returns `undefined` when there is no such file
 * @throws {StateError} for a damaged one
 */
export function readChunks(file: string): ChunkTable | undefined {
  try {
    const descriptor = openSync(file, 'r')
    try {
      const { size } = fstatSync(descriptor)
      const end = size - countBytes
      const read = (length: number, from: number) => {
        const bytes = Buffer.alloc(length)
        readSync(descriptor, bytes, 0, length, from)
        return bytes
      }
      const count = end < 0 ? 0 : read(countBytes, end).readUInt32LE(0)
      const length = count * entryBytes
      if (count === 0 || length > end) {
        throw new StateError(`${file} is damaged: it does not end with its chunks`, { file })
      }
      return new ChunkTable(read(length, end - length))
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw fileError('read', file, error)
  }
}
