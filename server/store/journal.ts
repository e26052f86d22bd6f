import type { Change, Entity } from './collection.ts'
import { type Deferred, defer } from './deferred.ts'
import { fileError } from './errors.ts'
import { encodeChange, encodeUnit, type Holds } from './written-change.ts'
import { removeSegmentsBefore, Segment } from './segment.ts'
import { clearTimeout, setImmediate, setTimeout } from '../core/timers.ts'

/** Delay before the disk is synced after a write, or a failed write or sync is repeated. */
const restMs = 500

/**
 * Largest synchronous write in characters: it only goes into the operating system's memory, and a thread would take
 * several times as long.
 */
const writtenAtOnce = 64 * 1024

export interface JournalOptions {
  directory: string
  format: number
  /** Newest segment, open for appending. */
  segment: Segment
  /** Units in the segments since the last snapshot. */
  units: number
  /** Size of those segments without the newest. */
  bytesBefore: number
  /** Data that the units refer to and others write. Absent = none. */
  before?: WrittenBefore
  onWritten: () => void
  onProblem: (message: string) => void
}

/** Data stored elsewhere that must be written before the journal refers to it. */
export interface WrittenBefore {
  /** Resolves when all data so far is in files; `undefined` if it is already. The next call repeats failed writes. */
  written(): Promise<void> | undefined
  /** Resolves when all data so far is synced to disk; `undefined` if it is already. */
  synced(): Promise<void> | undefined
  /**
   * Checks a change of the journal that was perhaps never synced: a power cut may have lost what it refers to. What is
   * found is synced with the next sync.
   */
  readonly holds?: Holds
}

/** A caller that waits until a number of units is written. */
interface Waiter extends Deferred<void> {
  units: number
}

/**
 * Appends changes to the newest segment. The changes of one synchronous run are one unit, one line, and so kept or lost
 * together. Units that collect during a write go out with the next one.
 */
export class Journal {
  /** Units since the snapshot before the start, including the open one. */
  units: number
  writes = 0
  readonly #options: JournalOptions
  #segment: Segment
  #bytesBefore: number
  #writtenUnits: number
  /** Changes of the open unit, as JSON. */
  #open: string[] = []
  /** Lines in the order of writing; a deferred marks the start of a new segment. */
  #queue: (string | Deferred<void>)[] = []
  #waiters: Waiter[] = []
  #isDraining = false
  #willDrain = false
  #isFailing = false
  #isClosed = false
  #needsSync = false
  #isSyncFailing = false
  #timer: NodeJS.Timeout | undefined
  /** Lines wait for this; never rejects. */
  #syncingBefore: Promise<void> | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.#segment = options.segment
    this.#bytesBefore = options.bytesBefore
    this.units = options.units
    this.#writtenUnits = options.units
  }

  /** Size of all segments that recovery would read. */
  get bytes(): number {
    return this.#bytesBefore + this.#segment.bytes
  }

  record(change: Change, before?: Entity): void {
    const json = encodeChange(change, before)
    if (json === undefined) return
    if (this.#open.length === 0) {
      this.units += 1
      queueMicrotask(() => this.#seal())
    }
    this.#open.push(json)
  }

  /** Resolves when all recorded changes are written; undefined if they are already. */
  written(): Promise<void> | undefined {
    if (this.#writtenUnits === this.units) return undefined
    const last = this.#waiters.at(-1)
    if (last?.units === this.units) return last.promise
    const waiter = { units: this.units, ...defer<void>() }
    this.#waiters.push(waiter)
    // An open unit starts the write when it is sealed. Otherwise this repeats a failed write.
    if (this.#open.length === 0) this.#drainSoon()
    return waiter.promise
  }

  /**
   * Resolves when all recorded changes, including those of earlier runs, are synced to disk, and a mark says so: the next
   * start does not ask for what they refer to, which may be removed from now on.
   */
  async synced(): Promise<void> {
    await this.written()
    const { file } = this.#segment
    try {
      await this.#syncSegment()
      if (this.#segment.isMarked) return
      await this.#mark()
      await this.#syncSegment()
    } catch (error) {
      throw fileError('sync', file, error)
    }
  }

  /** Writes a mark, for which each write has a place before its lines. */
  async #mark(): Promise<void> {
    // The open unit would count as written with it.
    while (this.hasOpenUnit) await Promise.resolve()
    if (this.#isClosed) return
    this.units += 1
    this.#queue.push('')
    await this.written()
  }

  /** Checks whether the current or just ended synchronous run has changed something. */
  get hasOpenUnit(): boolean {
    return this.#open.length > 0
  }

  /**
   * Starts a segment for the following units. Call it between two units, one at a time.
   * @returns its number, and a promise that resolves when it exists and the earlier units are on disk
   */
  rotate(): { number: number; rotated: Promise<void> } {
    const rotation = defer<void>()
    this.#queue.push(rotation)
    void this.#drain()
    return { number: this.#segment.number + 1, rotated: rotation.promise }
  }

  /** Deletes the segments before the newest, whose changes are in a snapshot. */
  async dropOlderSegments(): Promise<void> {
    this.#bytesBefore = 0
    await removeSegmentsBefore(this.#options.directory, this.#segment.number)
  }

  /** Writes and syncs the rest. The file is closed even if that fails. */
  async close(): Promise<void> {
    this.#isClosed = true
    try {
      await this.written()
      await this.#syncSegment()
    } catch (error) {
      throw fileError('write', this.#segment.file, error)
    } finally {
      clearTimeout(this.#timer)
      await this.#segment.close()
    }
  }

  #seal(): void {
    this.#queue.push(encodeUnit(this.#open))
    this.#open = []
    this.#drainSoon()
  }

  /** After all pending events were handled: their changes share one write. */
  #drainSoon(): void {
    if (this.#isDraining || this.#willDrain) return
    this.#willDrain = true
    setImmediate(() => {
      this.#willDrain = false
      void this.#drain()
    })
  }

  async #drain(): Promise<void> {
    if (this.#isDraining) return
    this.#isDraining = true
    try {
      for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
        if (typeof next === 'string') await this.#writeLines()
        else await this.#startSegment(next)
      }
      this.#isFailing = false
    } catch (error) {
      this.#giveUp(fileError('write', this.#segment.file, error))
    } finally {
      this.#isDraining = false
    }
  }

  async #writeLines(): Promise<void> {
    const lines: string[] = []
    for (const item of this.#queue) {
      if (typeof item !== 'string') break
      lines.push(item)
    }
    // For the lines taken; later lines may refer to more data and wait for the next turn.
    const before = this.#options.before?.written()
    if (before !== undefined) await before
    if (this.#syncingBefore !== undefined) await this.#syncingBefore
    const text = lines.join('')
    if (text.length <= writtenAtOnce) this.#segment.appendNow(text)
    else await this.#segment.append(text)
    this.writes += 1
    this.#needsSync = true
    this.#scheduleRest()
    this.#queue.splice(0, lines.length)
    this.#writtenUnits += lines.length
    this.#settleWaiters(this.#writtenUnits, (waiter) => waiter.resolve())
    this.#options.onWritten()
  }

  // If this fails, the following lines stay in the old segment and only the snapshot is delayed.
  async #startSegment(rotation: Deferred<void>): Promise<void> {
    this.#queue.shift()
    const old = this.#segment
    const { directory, format } = this.#options
    try {
      await this.#syncSegment()
      this.#segment = await Segment.create(directory, { format, journal: old.number + 1 })
      this.#bytesBefore += old.bytes
      await old.close()
      rotation.resolve()
    } catch (error) {
      rotation.reject(fileError('start a new journal file after', old.file, error))
    }
  }

  /** Rejects all waiting callers. The lines stay queued for the next attempt. */
  #giveUp(error: Error): void {
    if (!this.#isFailing) this.#options.onProblem(`${error.message}; changes are kept in memory`)
    this.#isFailing = true
    this.#scheduleRest()
    const rotations = this.#queue.filter((item) => typeof item !== 'string')
    this.#queue = this.#queue.filter((item) => typeof item === 'string')
    for (const rotation of rotations) rotation.reject(error)
    this.#settleWaiters(this.#writtenUnits + this.#queue.length, (waiter) => waiter.reject(error))
  }

  #settleWaiters(units: number, settle: (waiter: Waiter) => void): void {
    const reached = this.#waiters.filter((waiter) => waiter.units <= units)
    this.#waiters = this.#waiters.filter((waiter) => waiter.units > units)
    for (const waiter of reached) settle(waiter)
  }

  #scheduleRest(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#needsSync) void this.#sync()
      if (this.#queue.length > 0) void this.#drain()
    }, restMs).unref()
  }

  async #syncSegment(): Promise<void> {
    const segment = this.#segment
    const before = this.#options.before?.synced()
    if (before === undefined) return segment.sync()
    // A later line would be synced with the others, but the data it refers to would not.
    const synced = before.then(() => segment.sync())
    const ended = synced.catch(() => undefined)
    this.#syncingBefore = ended
    void ended.then(() => {
      if (this.#syncingBefore === ended) this.#syncingBefore = undefined
    })
    await synced
  }

  async #sync(): Promise<void> {
    this.#needsSync = false
    const { file } = this.#segment
    try {
      await this.#syncSegment()
      this.#isSyncFailing = false
    } catch (error) {
      if (!this.#isSyncFailing) this.#options.onProblem(fileError('sync', file, error).message)
      this.#isSyncFailing = true
      this.#needsSync = true
      this.#scheduleRest()
    }
  }
}
