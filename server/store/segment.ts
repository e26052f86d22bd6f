import { writeSync } from 'node:fs'
import { open, readdir, stat, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, StateError } from './errors.ts'
import { clearForNew, openFlags } from './private-files.ts'
import { lineFeed, readLineBlocks, readLines, setAside, syncDirectory } from './files.ts'

const namePattern = /^journal-(\d+)\.ndjson$/

/** First line of every segment: the version of its records and, in case files are renamed, its number. */
export interface SegmentHeader {
  format: number
  journal: number
}

export function segmentFile(directory: string, number: number): string {
  return join(directory, `journal-${number}.ndjson`)
}

/** Checks whether a file of a data folder is a segment, by its name. */
export function isSegment(name: string): boolean {
  return namePattern.test(name)
}

/** Returns the numbers of the segments in a folder, ascending. */
export async function listSegments(directory: string): Promise<number[]> {
  const names = await readdir(directory)
  return names
    .map((name) => Number(namePattern.exec(name)?.[1] ?? Number.NaN))
    .filter((number) => Number.isSafeInteger(number))
    .toSorted((a, b) => a - b)
}

/** Deletes segments whose changes are in a snapshot. */
export async function removeSegmentsBefore(directory: string, number: number): Promise<void> {
  await removeSegments(directory, (candidate) => candidate < number)
}

async function removeSegments(
  directory: string,
  isGone: (number: number) => boolean,
): Promise<void> {
  const gone = (await listSegments(directory)).filter(isGone)
  for (const number of gone) await unlink(segmentFile(directory, number))
}

/** Sets the segments of a folder aside. */
export async function setSegmentsAside(directory: string): Promise<void> {
  for (const number of await listSegments(directory)) {
    await setAside(segmentFile(directory, number))
  }
}

/** Starts a line that says how many bytes of the file were synced when it was written. */
const markStart = '{"synced":'

/** Checks whether a line is a mark, and not a unit. */
export function isMark(line: string): boolean {
  return line.startsWith(markStart)
}

/** End of a segment that a power cut may have changed. */
export interface Tail {
  /** Bytes that are known to be synced: the last mark. */
  synced: number
  /** Offset of the first line that was only partly written; `undefined` if all lines are whole. */
  tornAt: number | undefined
}

/**
 * Finds the end of a segment that was never synced. Where a power cut has lost a part of a file that was growing, the file
 * has zeros, which are in no line.
 */
export async function findTail(file: string): Promise<Tail> {
  const tail: Tail = { synced: 0, tornAt: undefined }
  for await (const { bytes, start } of readLineBlocks(file)) {
    for (let at = bytes.indexOf(markStart); at >= 0; at = bytes.indexOf(markStart, at + 1)) {
      if (at > 0 && bytes[at - 1] !== lineFeed) continue
      const synced = Number.parseInt(bytes.toString('latin1', at + markStart.length, at + 40), 10)
      if (synced > tail.synced) tail.synced = synced
    }
    const zero = tail.tornAt === undefined ? bytes.indexOf(0) : -1
    if (zero >= 0) tail.tornAt = start + bytes.lastIndexOf(lineFeed, zero) + 1
  }
  return tail
}

/** Checks whether a segment has more than its header. */
export async function hasUnits(file: string): Promise<boolean> {
  for await (const { texts, number } of readLines(file)) {
    if (number + texts.length > 2) return true
  }
  return false
}

/** Deletes segments after the one that the journal continues. */
export async function removeSegmentsAfter(directory: string, number: number): Promise<void> {
  await removeSegments(directory, (candidate) => candidate > number)
}

/** A file of the journal, open for appending. */
export class Segment {
  readonly file: string
  readonly number: number
  /** Length of the completely written part. */
  bytes: number
  readonly #handle: FileHandle
  /** Set once the file was found to be gone. */
  #gone: StateError | undefined
  #isClosed = false
  /** Bytes that are synced, and those of the last mark. */
  #synced = 0
  #marked = 0
  /** End of the last mark that was written without lines. */
  #markedEnd = -1
  /** Mark of an append that has not succeeded: a repetition writes the same bytes, so that no crash leaves a mixture. */
  #tried: number | undefined
  /** Settles when the syncs so far have ended. */
  #syncing: Promise<unknown> = Promise.resolve()

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

  /** Opens a segment that was read before and cuts off the incomplete line after `bytes`. */
  static async reopen(directory: string, header: SegmentHeader, bytes: number): Promise<Segment> {
    if (bytes === 0) return Segment.create(directory, header)
    const file = segmentFile(directory, header.journal)
    const handle = await open(file, openFlags.change)
    try {
      if ((await handle.stat()).size > bytes) {
        await handle.truncate(bytes)
        // A power cut could mix the next lines with those that were cut off.
        await handle.datasync()
      }
    } catch (error) {
      await handle.close()
      throw error
    }
    return new Segment(file, header.journal, bytes, handle)
  }

  /**
   * Appends whole lines, after a mark if more is synced than the last one says. After a failure the file may end in a part
   * of them; each write has a position, so repeating the same lines repairs it.
   * @throws {StateError} once {@link sync} has found the file gone
   */
  async append(text: string): Promise<void> {
    const { bytes, marked } = this.#withMark(text)
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, done, undefined, this.bytes + done)
      done += bytesWritten
    }
    this.#grow(bytes.length, marked, text)
  }

  /** Synchronous form. */
  appendNow(text: string): void {
    const { bytes, marked } = this.#withMark(text)
    for (let done = 0; done < bytes.length;) {
      done += writeSync(this.#handle.fd, bytes, done, undefined, this.bytes + done)
    }
    this.#grow(bytes.length, marked, text)
  }

  #grow(bytes: number, marked: number, text: string): void {
    this.#tried = undefined
    this.bytes += bytes
    this.#marked = marked
    if (text === '') this.#markedEnd = this.bytes
  }

  /** Returns true if a mark covers all lines. */
  get isMarked(): boolean {
    return this.bytes === this.#markedEnd
  }

  /** @throws {StateError} if the file is gone */
  #withMark(text: string): { bytes: Buffer; marked: number } {
    if (this.#gone) throw this.#gone
    const marked = this.#tried ?? this.#synced
    this.#tried = marked
    const mark = marked > this.#marked ? `${markStart}${marked}}\n` : ''
    return { bytes: Buffer.from(mark + text), marked }
  }

  /**
   * Syncs the file to disk; a closed one was synced before. Detects a deleted or moved file, which would still accept
   * writes: another sandbox may have created a file in its place.
   * @throws {StateError} if the file is gone
   */
  async sync(): Promise<void> {
    if (this.#isClosed) return
    const syncing = this.#sync()
    this.#syncing = Promise.allSettled([this.#syncing, syncing])
    await syncing
  }

  async #sync(): Promise<void> {
    const { bytes } = this
    await this.#handle.datasync()
    if (await this.#isInPlace()) {
      // A mark needs no other one.
      if (bytes !== this.#markedEnd) this.#synced = Math.max(this.#synced, bytes)
      return
    }
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

  /** Closes the file after the syncs that have begun. Sync it first. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#syncing
    await this.#handle.close()
  }
}
