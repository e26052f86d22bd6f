import type { Change, Entity } from './collection.ts'
import { type Deferred, defer } from './deferred.ts'
import { fileError } from './errors.ts'
import { encodeChange } from './written-change.ts'
import { removeSegmentsBefore, Segment } from './segment.ts'
import { clearTimeout, setImmediate, setTimeout } from '../core/timers.ts'

/** How long written changes stay with the operating system before the disk is synced, or a failed write is repeated. */
const restMs = 500

/**
 * Up to so many characters are written at once: they only go into the operating system's memory, and handing them to
 * a thread and back takes several times as long.
 */
const writtenAtOnce = 64 * 1024

export interface JournalOptions {
  directory: string
  format: number
  /** The newest segment, open for appending. */
  segment: Segment
  /** Units in the segments since the last snapshot. */
  units: number
  /** Size of those segments without the newest. */
  bytesBefore: number
  /** What the units name and others write. Absent = nothing. */
  before?: WrittenBefore
  onWritten: () => void
  onProblem: (message: string) => void
}

/** What is kept elsewhere and has to be there before the journal names it: a journal that knows more is broken. */
export interface WrittenBefore {
  /** Resolves when all that was made so far is in files; `undefined` when it is. The next call tries again what failed. */
  written(): Promise<void> | undefined
  /** Resolves when it would outlive a power cut, too; `undefined` when it would. */
  synced(): Promise<void> | undefined
}

/** Somebody waits until so many units are written. */
interface Waiter extends Deferred<void> {
  units: number
}

/**
 * Appends changes to the newest segment. The changes of one synchronous run are one unit, one line, and so
 * kept or lost together. All units that gather while a write is on its way go out with the next one.
 */
export class Journal {
  /** Units since the snapshot before the start, the open one included. */
  units: number
  writes = 0
  readonly #options: JournalOptions
  #segment: Segment
  #bytesBefore: number
  #writtenUnits: number
  /** Changes of the open unit, as JSON. */
  #open: string[] = []
  /** Lines in the order they go out; a deferred stands where a new segment starts. */
  #queue: (string | Deferred<void>)[] = []
  #waiters: Waiter[] = []
  #isDraining = false
  #willDrain = false
  #isFailing = false
  #needsSync = false
  #timer: NodeJS.Timeout | undefined
  /** Lines wait for it; never rejects. */
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

  /** Resolves when all that was recorded so far is written; undefined when it is. */
  written(): Promise<void> | undefined {
    if (this.#writtenUnits === this.units) return undefined
    const last = this.#waiters.at(-1)
    if (last?.units === this.units) return last.promise
    const waiter = { units: this.units, ...defer<void>() }
    this.#waiters.push(waiter)
    // An open unit starts the write when it is sealed. Without one this repeats a write that failed.
    if (this.#open.length === 0) this.#drainSoon()
    return waiter.promise
  }

  /** Resolves when all that was recorded so far, and in earlier runs, outlives a power cut. */
  async synced(): Promise<void> {
    await this.written()
    const { file } = this.#segment
    try {
      await this.#syncSegment()
    } catch (error) {
      throw fileError('sync', file, error)
    }
  }

  /** Whether the synchronous run that is under way, or has just ended, changed something. */
  get hasOpenUnit(): boolean {
    return this.#open.length > 0
  }

  /**
   * Starts a segment for the units that follow. To be called between two units, and one at a time.
   * @returns its number, and a promise that resolves when it exists and the units before it are on the disk
   */
  rotate(): { number: number; rotated: Promise<void> } {
    const rotation = defer<void>()
    this.#queue.push(rotation)
    void this.#drain()
    return { number: this.#segment.number + 1, rotated: rotation.promise }
  }

  /** Deletes the segments before the newest: a snapshot has their changes. */
  async dropOlderSegments(): Promise<void> {
    this.#bytesBefore = 0
    await removeSegmentsBefore(this.#options.directory, this.#segment.number)
  }

  /** Writes and syncs what is left. The file is closed even if that fails. */
  async close(): Promise<void> {
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
    this.#queue.push(`[${this.#open.join(',')}]\n`)
    this.#open = []
    this.#drainSoon()
  }

  /** Once all that has arrived by now was dealt with: its changes share one write. */
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
    // For the lines taken: those that come meanwhile may name more, and wait for the next turn.
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

  // When this fails the lines behind it stay in the old segment; only the snapshot it was for has to wait.
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

  /** Tells all who wait. The lines stay in the queue for the next try. */
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
    // A line that came meanwhile would be synced with the others, and what it names would not.
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
    } catch (error) {
      this.#options.onProblem(fileError('sync', file, error).message)
    }
  }
}
