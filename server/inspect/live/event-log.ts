import type { LiveEntry } from '../../contract/live.ts'
import { Latest } from '../../core/latest.ts'
import type { AnyEntry, Bus } from '../../hub/events/bus.ts'
import { describeFact, type RequestPlace } from './live-entry.ts'

/** Page for a reader of the log: the facts after its cursor, and the next cursor. */
export interface LogPage {
  cursor: string
  entries: LiveEntry[]
  /** Facts are missing between the reader's cursor and these. */
  gap: boolean
  /** There are more facts than requested. */
  more: boolean
}

/** Latest facts, in memory, from which the live feed replays and resumes. */
export interface EventLog {
  /**
   * Facts after a cursor.
   * @param cursor `<run>-<seq>` of an earlier page; one from another run, from before a reset, or too old gives a gap
   * and all kept facts
   * @param limit most facts on the page
   */
  after(cursor: string, limit?: number): LogPage
  /**
   * Returns the latest facts, at most `limit`, for a reader without a cursor. Successful requests take at most half of
   * them if there are other facts, so that load does not hide those.
   */
  recent(limit: number): LogPage
  /** Returns the latest facts without successful requests, newest first. */
  notable(): AnyEntry[]
  /** Number of {@link notable} facts since the start or the reset that are no longer kept. */
  readonly droppedNotable: number
  /** Formats a fact for readers. */
  readonly describe: (entry: AnyEntry) => LiveEntry
  /** Cursor after the newest fact. */
  readonly cursor: string
  /** Adds facts of an earlier run, as if they had just happened. */
  recall(earlier: readonly Omit<AnyEntry, 'seq'>[]): void
  /** Calls back when there is something to read; the listener runs within `emit`, so it must return at once. */
  onAppend(listener: () => void): () => void
}

/** Number of kept facts that are not plain requests, for new readers. */
const replayedNotable = 250
const keptNotable = 5000

/** Most facts of a busy sandbox, without interest to later readers. */
function isPlainRequest(entry: AnyEntry): boolean {
  if (entry.type !== 'request.completed') return false
  return entry.data.error === undefined || entry.data.expected === true
}

/** Bytes of all facts together. A fact has a few hundred bytes, but errors quote input. */
const largestFacts = 16 * 1024 * 1024

function bytesOf({ data }: AnyEntry): number {
  let bytes = 300
  for (const value of Object.values(data) as unknown[]) {
    if (typeof value === 'string') bytes += value.length
    else if (typeof value === 'object' && value !== null) bytes += JSON.stringify(value).length
  }
  return bytes
}

/**
 * Keeps the latest facts of the bus.
 * @param runId id of the run, without a hyphen
 * @param aboutRequest returns the place of a request id; called for each read, because a request may join a sign-in later
 */
export function createEventLog(
  bus: Bus,
  runId: string,
  {
    aboutRequest = () => ({}),
    capacity = 10_000,
  }: { aboutRequest?: (requestId: string) => RequestPlace; capacity?: number } = {},
): EventLog {
  /** Facts from `firstSeq` to `lastSeq`. */
  const facts = new Latest({ items: capacity, bytes: largestFacts }, bytesOf)
  /** Latest facts that are not plain requests. */
  const notable = new Latest({ items: keptNotable, bytes: largestFacts }, bytesOf)
  const listeners = new Set<() => void>()
  let lastSeq = bus.lastSeq
  /** Earliest fact after which a reader misses nothing. */
  let resumableFrom = lastSeq

  const firstSeq = () => lastSeq - facts.length + 1
  const describe = (entry: AnyEntry) => describeFact(entry, aboutRequest)

  function append(entry: AnyEntry): void {
    if (entry.type === 'sandbox.reset') {
      facts.clear()
      notable.clear()
      resumableFrom = entry.seq
    }
    facts.push(entry)
    if (!isPlainRequest(entry)) notable.push(entry)
    lastSeq = entry.seq
    resumableFrom = Math.max(resumableFrom, firstSeq() - 1)
    for (const listener of listeners) listener()
  }
  bus.onAny(append)

  const cursorAt = (seq: number) => `${runId}-${seq}`

  function page(from: number, limit: number, gap: boolean): LogPage {
    const to = Math.min(lastSeq, from + limit - 1)
    const entries: LiveEntry[] = []
    for (let seq = from; seq <= to; seq += 1) {
      const entry = facts.at(seq - firstSeq())
      if (entry !== undefined) entries.push(describe(entry))
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
      return page(known ? seen + 1 : firstSeq(), limit, !known)
    },
    recent(limit) {
      const from = Math.max(firstSeq(), lastSeq - limit + 1)
      const most = Math.min(replayedNotable, Math.floor(limit / 2), notable.length)
      const older: AnyEntry[] = []
      for (let index = notable.length - most; index < notable.length; index += 1) {
        const entry = notable.at(index)
        // Each older fact replaces the oldest of the page.
        if (entry === undefined || entry.seq >= from + older.length) break
        older.push(entry)
      }
      const latest = page(from + older.length, limit - older.length, false)
      return { ...latest, entries: [...older.map(describe), ...latest.entries] }
    },
    recall(earlier) {
      const first = bus.reserve(earlier.length)
      for (const [index, fact] of earlier.entries()) {
        append({ ...fact, seq: first + index } as AnyEntry)
      }
    },
    notable() {
      const entries: AnyEntry[] = []
      for (let index = notable.length - 1; index >= 0; index -= 1) {
        const entry = notable.at(index)
        if (entry !== undefined) entries.push(entry)
      }
      return entries
    },
    get droppedNotable() {
      return notable.dropped
    },
    describe,
    onAppend(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
