import { createHash } from 'node:crypto'
import { createReadStream, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { errorCode, fileError } from '../errors.ts'
import { type LfsContent, type LfsUpload, LfsUploadError } from './lfs-contents.ts'

/** Target of the bytes of an upload. */
export interface UploadSink {
  write(bytes: Uint8Array, position: number): Promise<void> | void
  /** Reads all bytes from the first on. */
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  /** Moves the content to its final name. */
  keep(): Promise<void> | void
  /** Releases everything that was not kept. */
  close(): Promise<void> | void
}

/** Hashes bytes as they arrive in order; otherwise reads them again at the end. */
export class CheckedUpload implements LfsUpload {
  readonly #content: LfsContent
  readonly #sink: UploadSink
  readonly #hash = createHash('sha256')
  /** Number of bytes in the hash so far. */
  #hashed = 0
  /** Parts arrive in any order, and again after an interruption. */
  #isInOrder = true

  constructor(content: LfsContent, sink: UploadSink) {
    this.#content = content
    this.#sink = sink
  }

  async write(
    bytes: AsyncIterable<Uint8Array>,
    { start, length }: { start: number; length: number },
  ): Promise<void> {
    let taken = 0
    for await (const chunk of bytes) {
      const position = start + taken
      taken += chunk.length
      if (taken > length) throw wrongLength(length, 'more')
      const writing = this.#sink.write(chunk, position)
      this.#isInOrder &&= position === this.#hashed
      if (this.#isInOrder) {
        this.#hash.update(chunk)
        this.#hashed += chunk.length
      }
      if (writing !== undefined) await writing
    }
    if (taken < length) throw wrongLength(length, String(taken))
  }

  async finish(): Promise<void> {
    const { oid, size } = this.#content
    const isHashed = this.#isInOrder && this.#hashed === size
    const found = isHashed ? this.#hash.digest('hex') : await this.#hashAll()
    if (found !== oid) {
      throw new LfsUploadError(
        'hash',
        `the content has the SHA-256 ${found}, and ${oid} was announced`,
      )
    }
    await this.#sink.keep()
  }

  async close(): Promise<void> {
    await this.#sink.close()
  }

  async #hashAll(): Promise<string> {
    const hash = createHash('sha256')
    for await (const chunk of this.#sink.read()) hash.update(chunk)
    return hash.digest('hex')
  }
}

function wrongLength(length: number, found: string): LfsUploadError {
  return new LfsUploadError('length', `${length} bytes were announced, and ${found} came`)
}

/** A file without a name of its own. */
export class FileSink implements UploadSink {
  readonly #file: string
  readonly #makeFolder: () => void
  readonly #name: (file: string) => void
  readonly #isReplacing: () => boolean
  #opening: Promise<FileHandle> | undefined
  #isKept = false

  /**
   * @param name moves the complete file to its final name
   * @param isReplacing whether it takes the place of another, which a power cut must not spoil. Default: no
   */
  constructor(
    file: string,
    {
      makeFolder,
      name,
      isReplacing = () => false,
    }: { makeFolder: () => void; name: (file: string) => void; isReplacing?: () => boolean },
  ) {
    this.#file = file
    this.#makeFolder = makeFolder
    this.#name = name
    this.#isReplacing = isReplacing
  }

  async write(bytes: Uint8Array, position: number): Promise<void> {
    try {
      const handle = await this.#open()
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, done, undefined, position + done)
        done += bytesWritten
      }
    } catch (error) {
      throw fileError('write', this.#file, error)
    }
  }

  read(): AsyncIterable<Uint8Array> {
    return createReadStream(this.#file) as AsyncIterable<Buffer>
  }

  async keep(): Promise<void> {
    try {
      // An empty content was never written.
      const handle = await this.#open()
      if (this.#isReplacing()) await handle.datasync()
      await this.#letGo()
      this.#name(this.#file)
    } catch (error) {
      throw fileError('write', this.#file, error)
    }
    this.#isKept = true
  }

  async close(): Promise<void> {
    await this.#letGo()
    if (this.#isKept) return
    try {
      rmSync(this.#file, { force: true })
    } catch (error) {
      // If this fails, a later run removes it.
      if (errorCode(error) === undefined) throw error
    }
  }

  #open(): Promise<FileHandle> {
    return (this.#opening ??= this.#create())
  }

  async #create(): Promise<FileHandle> {
    this.#makeFolder()
    return open(this.#file, 'wx', 0o600)
  }

  async #letGo(): Promise<void> {
    const opening = this.#opening
    this.#opening = undefined
    // The writer has received the error if it could not be opened.
    const handle = await opening?.catch(() => undefined)
    await handle?.close()
  }
}

/** Upload of a content that exists: it is only checked. */
export const noSink: UploadSink = {
  write() {},
  read: () => [],
  keep() {},
  close() {},
}
