import { writeSync } from 'node:fs'
import { open, readdir, stat, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, StateError } from './errors.ts'
import { clearForNew, openFlags } from './private-files.ts'
import { setAside, syncDirectory } from './files.ts'

const namePattern = /^journal-(\d+)\.ndjson$/

/** First line of every segment: the version of its records, and its number in case somebody renames files. */
export interface SegmentHeader {
  format: number
  journal: number
}

export function segmentFile(directory: string, number: number): string {
  return join(directory, `journal-${number}.ndjson`)
}

/** Numbers of the segments in a folder, ascending. */
export async function listSegments(directory: string): Promise<number[]> {
  const names = await readdir(directory)
  return names
    .map((name) => Number(namePattern.exec(name)?.[1] ?? Number.NaN))
    .filter((number) => Number.isSafeInteger(number))
    .toSorted((a, b) => a - b)
}

/** Deletes the segments that a snapshot has made superfluous. */
export async function removeSegmentsBefore(directory: string, number: number): Promise<void> {
  const old = (await listSegments(directory)).filter((candidate) => candidate < number)
  for (const candidate of old) await unlink(segmentFile(directory, candidate))
}

/** Gives the segments of a folder names that are no segment's. */
export async function setSegmentsAside(directory: string): Promise<void> {
  for (const number of await listSegments(directory)) {
    await setAside(segmentFile(directory, number))
  }
}

/** One file of the journal, open for appending. */
export class Segment {
  readonly file: string
  readonly number: number
  /** Length of what was written completely. */
  bytes: number
  readonly #handle: FileHandle
  /** Once it was seen that nobody will ever read it. */
  #gone: StateError | undefined

  private constructor(file: string, number: number, bytes: number, handle: FileHandle) {
    this.file = file
    this.number = number
    this.bytes = bytes
    this.#handle = handle
  }

  static async create(directory: string, header: SegmentHeader): Promise<Segment> {
    const file = segmentFile(directory, header.journal)
    clearForNew(file)
    const handle = await open(file, 'wx', 0o600)
    try {
      const segment = new Segment(file, header.journal, 0, handle)
      await segment.append(`${JSON.stringify(header)}\n`)
      await syncDirectory(directory)
      return segment
    } catch (error) {
      await handle.close()
      await unlink(file)
      throw error
    }
  }

  /** Opens a segment that was read before; what follows `bytes`, a torn line, is cut off. */
  static async reopen(directory: string, header: SegmentHeader, bytes: number): Promise<Segment> {
    if (bytes === 0) return Segment.create(directory, header)
    const file = segmentFile(directory, header.journal)
    const handle = await open(file, openFlags.change)
    try {
      await handle.truncate(bytes)
    } catch (error) {
      await handle.close()
      throw error
    }
    return new Segment(file, header.journal, bytes, handle)
  }

  /**
   * Appends whole lines. After a failure the file may end in a part of them; since every write names its
   * position, trying again with the same lines first puts that right.
   * @throws {StateError} once {@link sync} has found the file gone
   */
  async append(text: string): Promise<void> {
    if (this.#gone) throw this.#gone
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, done, undefined, this.bytes + done)
      done += bytesWritten
    }
    this.bytes += bytes.length
  }

  /** The same, done when it returns. */
  appendNow(text: string): void {
    if (this.#gone) throw this.#gone
    const bytes = Buffer.from(text)
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#handle.fd, bytes, done, undefined, this.bytes + done)
    }
    this.bytes += bytes.length
  }

  /**
   * A file that was removed, or moved with its folder, takes all that is written, and keeps it for nobody. What has its
   * place now is another sandbox's.
   * @throws {StateError} when it has gone
   */
  async sync(): Promise<void> {
    await this.#handle.datasync()
    if (await this.#isInPlace()) return
    const { file } = this
    this.#gone = new StateError(
      `${file} was removed or moved while the sandbox ran: stop it and start it again`,
      { file },
    )
    throw this.#gone
  }

  async #isInPlace(): Promise<boolean> {
    try {
      const [own, found] = await Promise.all([this.#handle.stat(), stat(this.file)])
      return own.ino === found.ino && own.dev === found.dev
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}
