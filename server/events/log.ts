import type { LiveEntry } from '../contract/live.ts'
import { Latest } from '../core/latest.ts'
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
  /** One of them as it is told. */
  readonly describe: (entry: AnyEntry) => LiveEntry
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

/** Bytes of all facts together. A fact is a few hundred bytes, but errors quote what clients sent. */
const largestFacts = 16 * 1024 * 1024

function bytesOf(entry: AnyEntry): number {
  if (entry.type !== 'request.completed') return 300 + JSON.stringify(entry.data).length
  const { path, error = '', detail = '' } = entry.data
  return 300 + path.length + error.length + detail.length
}

/**
 * Keeps the latest facts of the bus.
 * @param runId tells the runs of a sandbox apart; no hyphen in it
 * @param flowIdOf the sign-in of a request, by its id: asked when somebody reads, since few requests belong to one at once
 */
export function createEventLog(
  bus: Bus,
  runId: string,
  {
    flowIdOf = () => undefined,
    capacity = 10_000,
  }: { flowIdOf?: (requestId: string) => string | undefined; capacity?: number } = {},
): EventLog {
  /** One for each number from `firstSeq` to `lastSeq`. */
  const facts = new Latest({ items: capacity, bytes: largestFacts }, bytesOf)
  /** The latest that are no plain requests. */
  const notable = new Latest({ items: keptNotable, bytes: largestFacts }, bytesOf)
  const listeners = new Set<() => void>()
  let lastSeq = bus.lastSeq
  /** The earliest fact a reader may have seen last and still miss nothing. */
  let resumableFrom = lastSeq

  const firstSeq = () => lastSeq - facts.length + 1
  const describe = (entry: AnyEntry) => describeFact(entry, flowIdOf)

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
        // Each that is older than the rest takes the place of the oldest of them.
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
    describe,
    onAppend(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
