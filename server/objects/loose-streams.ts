import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createInflate } from 'node:zlib'
import { giveBack } from '../core/give-back.ts'
import { fileError } from '../state/errors.ts'
import { type LooseFiles, readingError } from './loose-files.ts'
import { GitFormatError, objectHeader } from './object-id.ts'
import { packFile } from './pack-file.ts'
import type { BlobInfo, BlobRange, BlobUpload } from './object-store.ts'

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

/** Gives a file that is an object, as a whole, the name of its id. */
type TakeLarge = (file: string, kept: BlobInfo) => void

/** Takes contents as they arrive: what is small stays in memory, the rest goes to a file without a name. */
export class Spool {
  readonly #files: () => LooseFiles
  #size = 0
  #chunks: Uint8Array[] = []
  /** Where it is written, since it is more than small. */
  #rest: { readonly file: string; readonly handle: FileHandle } | undefined

  /** @param files asked for once a content is more than small */
  constructor(files: () => LooseFiles) {
    this.#files = files
  }

  /** @throws {StateError} */
  async write(bytes: Uint8Array): Promise<void> {
    this.#size += bytes.length
    if (this.#size > inMemoryBytes) return this.#append(bytes)
    this.#chunks.push(Buffer.from(bytes))
  }

  /** All of it, where it is small. */
  inMemory(): Buffer | undefined {
    return this.#rest === undefined ? Buffer.concat(this.#chunks) : undefined
  }

  /** To be called in the end, whatever became of it. */
  async close(): Promise<void> {
    for (const chunk of this.#chunks) giveBack(chunk)
    this.#chunks = []
    const rest = this.#rest
    this.#rest = undefined
    if (rest === undefined) return
    await rest.handle.close()
    this.#files().discard(rest.file)
  }

  /**
   * Packs a content that is in a file.
   * @param take gives the packed file its name
   * @throws {StateError}
   */
  async pack(take: TakeLarge): Promise<BlobInfo> {
    const { handle } = (this.#rest ??= await this.#create())
    const files = this.#files()
    const packed = files.temporary()
    const size = this.#size
    try {
      const kept = { id: await packFile({ handle, size }, packed), size }
      take(packed, kept)
      return kept
    } catch (error) {
      files.discard(packed)
      throw fileError('write', packed, error)
    }
  }

  /** Puts it into the file, behind what was in memory until now. */
  async #append(bytes: Uint8Array): Promise<void> {
    const chunks = this.#chunks
    this.#chunks = []
    const { file, handle } = (this.#rest ??= await this.#create())
    try {
      for (const chunk of chunks) {
        await handle.writeFile(chunk)
        giveBack(chunk)
      }
      await handle.writeFile(bytes)
    } catch (error) {
      throw fileError('write', file, error)
    }
  }

  async #create(): Promise<{ file: string; handle: FileHandle }> {
    const files = this.#files()
    const file = files.temporary()
    try {
      files.makeTemporary()
      return { file, handle: await open(file, 'wx+', 0o600) }
    } catch (error) {
      throw fileError('write', file, error)
    }
  }
}

/**
 * A content that is received through a spool.
 * @param takeSmall keeps a copy of one that is in memory as a whole; returns its id
 */
export function uploadThrough(
  spool: Spool,
  { takeSmall, takeLarge }: { takeSmall: (bytes: Buffer) => string; takeLarge: TakeLarge },
): BlobUpload {
  return {
    write: (bytes) => spool.write(bytes),
    async keep() {
      const bytes = spool.inMemory()
      if (bytes === undefined) return spool.pack(takeLarge)
      const kept = { id: takeSmall(bytes), size: bytes.length }
      giveBack(bytes)
      return kept
    },
    close: () => spool.close(),
  }
}
