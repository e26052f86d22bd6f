import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createDeflate, createInflate } from 'node:zlib'
import { fileError } from '../state/errors.ts'
import { type LooseFiles, readingError } from './loose-files.ts'
import { GitFormatError, objectHeader } from './object-id.ts'
import type { BlobInfo, BlobRange } from './object-store.ts'

/** Contents up to here stay in memory while they are read and written: that is faster by far. */
export const inMemoryBytes = 1024 * 1024

/** One piece, and none where there is nothing: an empty piece would end the stream for some of its readers. */
export function streamOf(bytes: Uint8Array): Readable {
  return Readable.from(bytes.length === 0 ? [] : [bytes], { objectMode: false })
}

/** The content of a file of an object, as it is unpacked. */
export function openLoose(files: LooseFiles, id: string, range?: BlobRange): Readable {
  return Readable.from(unpack(files, id, range), { objectMode: false })
}

async function* unpack(
  files: LooseFiles,
  id: string,
  range?: BlobRange,
): AsyncGenerator<Buffer, void, undefined> {
  const { type, size } = files.header(id)
  const header = objectHeader(type, size).length
  const { start, end } = range ?? { start: 0, end: size }
  const file = files.file(id)
  const source = createReadStream(file)
  const inflate = createInflate()
  // A disk that fails tells the reader of what is unpacked.
  source.on('error', (error) => inflate.destroy(error))
  source.pipe(inflate)
  let offset = -header
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      const wanted = chunk.subarray(Math.max(0, start - offset), Math.max(0, end - offset))
      offset += chunk.length
      if (wanted.length > 0) yield wanted
      if (offset >= end && range !== undefined) return
    }
    if (offset !== size) {
      throw new GitFormatError(`it has ${offset} bytes in place of ${size}`)
    }
  } catch (error) {
    const isUnpacking = String((error as { code?: unknown }).code).startsWith('Z_')
    throw readingError(file, id, isUnpacking ? new GitFormatError(String(error)) : error)
  } finally {
    source.destroy()
    inflate.destroy()
  }
}

/** Takes contents as they arrive: what is small stays in memory, the rest goes to a file without a name. */
export class Spool {
  size = 0
  readonly #files: LooseFiles
  readonly #file: string
  #chunks: Uint8Array[] = []
  #handle: FileHandle | undefined

  constructor(files: LooseFiles) {
    this.#files = files
    this.#file = files.temporary()
  }

  /** @throws {StateError} */
  async add(chunk: Uint8Array): Promise<void> {
    this.size += chunk.length
    this.#chunks.push(chunk)
    if (this.size > inMemoryBytes) await this.#empty()
  }

  /** All of it, where it is small. */
  inMemory(): Buffer | undefined {
    return this.#handle === undefined ? Buffer.concat(this.#chunks) : undefined
  }

  /**
   * Packs a content that is in a file, and gives it its name.
   * @throws {StateError}
   */
  async keep(): Promise<BlobInfo> {
    await this.#empty()
    await this.#handle?.close()
    this.#handle = undefined
    const packed = this.#files.temporary()
    const hash = createHash('sha1')
    const { size } = this
    const file = this.#file
    try {
      await pipeline(
        async function* () {
          yield Buffer.from(objectHeader('blob', size))
          yield* createReadStream(file)
        },
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            hash.update(chunk)
            yield chunk
          }
        },
        createDeflate({ level: 1 }),
        createWriteStream(packed, { mode: 0o600, flush: true }),
      )
      const id = hash.digest('hex')
      this.#files.name(packed, id)
      return { id, size }
    } catch (error) {
      this.#files.discard(packed)
      throw fileError('write', packed, error)
    }
  }

  /** To be called in the end, whatever became of it. */
  async close(): Promise<void> {
    this.#chunks = []
    await this.#handle?.close()
    this.#handle = undefined
    this.#files.discard(this.#file)
  }

  async #empty(): Promise<void> {
    const chunks = this.#chunks
    this.#chunks = []
    try {
      this.#handle ??= await this.#create()
      for (const chunk of chunks) await this.#handle.writeFile(chunk)
    } catch (error) {
      throw fileError('write', this.#file, error)
    }
  }

  async #create(): Promise<FileHandle> {
    this.#files.makeTemporary()
    return open(this.#file, 'wx', 0o600)
  }
}
