import type { LiveEntry } from '../contract/live.ts'
import type { AnyEntry, Bus } from './bus.ts'
import { describeFact } from './live-entry.ts'

/** What a reader of the log gets: the facts after its cursor, and the cursor to go on with. */
export interface LogPage {
  cursor: string
  entries: LiveEntry[]
  /** Facts are missing between the reader's cursor and these. */
  gap: boolean
  /** There are more than were asked for. */
  more: boolean
}

/** The latest facts, in memory: what the live feed replays and resumes from. */
export interface EventLog {
  /**
   * Facts after a cursor.
   * @param cursor `<run>-<seq>` of an earlier page; one of another run, of before a reset, or older than what
   *   is kept gives a gap and all that is kept
   * @param limit most facts on the page
   */
  after(cursor: string, limit?: number): LogPage
  /**
   * The latest facts, at most `limit`, for a reader without a cursor. Requests that went well take at most half
   * of them where there is anything else to tell, so that load does not hide what happened.
   */
  recent(limit: number): LogPage
  /** The latest facts, newest first, without requests that went well: what one reads to learn what happened. */
  notable(): AnyEntry[]
  /** The cursor of a reader that has seen everything. */
  readonly cursor: string
  /** Takes in facts of an earlier run, as if they had just been told. */
  recall(earlier: readonly Omit<AnyEntry, 'seq'>[]): void
  /** Tells when there is something to read; the listener runs within `emit`, so it only takes note. */
  onAppend(listener: () => void): () => void
}

/** As many as are told to a new reader of the live feed beside the latest. */
const replayedNotable = 250
const keptNotable = 5000

/** Most facts of a busy sandbox, and of no interest to who comes later. */
function isPlainRequest(entry: AnyEntry): boolean {
  return entry.type === 'request.completed' && entry.data.error === undefined
}

/**
 * Keeps what the bus tells, without work per fact but to keep it: facts become JSON when they are read.
 * @param runId tells the runs of a sandbox apart; no hyphen in it
 */
export function createEventLog(bus: Bus, runId: string, capacity = 10_000): EventLog {
  const ring: (AnyEntry | undefined)[] = Array.from({ length: capacity })
  /** The latest that are no plain requests, oldest first. */
  let notable: AnyEntry[] = []
  const listeners = new Set<() => void>()
  let firstSeq = bus.lastSeq + 1
  let lastSeq = bus.lastSeq
  /** The earliest fact a reader may have seen last and still miss nothing. */
  let resumableFrom = lastSeq

  function append(entry: AnyEntry): void {
    if (entry.type === 'sandbox.reset') {
      ring.fill(undefined)
      notable = []
      firstSeq = entry.seq
      resumableFrom = entry.seq
    }
    ring[entry.seq % capacity] = entry
    if (!isPlainRequest(entry)) notable.push(entry)
    if (notable.length > 2 * keptNotable) notable = notable.slice(-keptNotable)
    lastSeq = entry.seq
    firstSeq = Math.max(firstSeq, lastSeq - capacity + 1)
    resumableFrom = Math.max(resumableFrom, firstSeq - 1)
    for (const listener of listeners) listener()
  }
  bus.onAny(append)

  const cursorAt = (seq: number) => `${runId}-${seq}`

  function page(from: number, limit: number, gap: boolean): LogPage {
    const to = Math.min(lastSeq, from + limit - 1)
    const entries: LiveEntry[] = []
    for (let seq = from; seq <= to; seq += 1) {
      const entry = ring[seq % capacity]
      if (entry !== undefined) entries.push(describeFact(entry))
    }
    return { cursor: cursorAt(to), entries, gap, more: to < lastSeq }
  }

  return {
    get cursor() {
      return cursorAt(lastSeq)
    },
    after(cursor, limit = Infinity) {
      const [run, text = ''] = cursor.split('-')
      const seen = /^\d+$/.test(text) ? Number(text) : -1
      const known = run === runId && seen >= resumableFrom && seen <= lastSeq
      return page(known ? seen + 1 : firstSeq, limit, !known)
    },
    recent(limit) {
      const kept = notable.slice(-Math.min(replayedNotable, Math.floor(limit / 2)))
      const from = Math.max(firstSeq, lastSeq - limit + 1)
      // Each that is older than the rest takes the place of the oldest of them.
      const isOlder = ({ seq }: AnyEntry, index: number) => seq < from + index
      const end = kept.findIndex((entry, index) => !isOlder(entry, index))
      const older = kept.slice(0, end === -1 ? kept.length : end)
      const latest = page(from + older.length, limit - older.length, false)
      return { ...latest, entries: [...older.map(describeFact), ...latest.entries] }
    },
    recall(earlier) {
      const first = bus.reserve(earlier.length)
      for (const [index, fact] of earlier.entries()) {
        append({ ...fact, seq: first + index } as AnyEntry)
      }
    },
    notable: () => notable.slice(-keptNotable).toReversed(),
    onAppend(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
