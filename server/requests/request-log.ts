import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { Clock } from '../core/clock.ts'
import { type ClockMove, noteClockMoves } from './clock-moves.ts'
import {
  createDocumentFetches,
  type DocumentFetch,
  type DocumentFetches,
} from './document-fetches.ts'
import { createPackedRows } from '../core/packed-rows.ts'
import { createFlows, type Flows } from './flows.ts'
import { createHeaderNames } from './header-names.ts'
import {
  hashId,
  idHashColumn,
  packRecord,
  receivedMsColumn,
  recordColumns,
  unpackRecord,
} from './packed-records.ts'

/** A request as it was; its secrets are masked when somebody looks. */
export interface RequestRecord {
  readonly id: string
  /** When it came, in milliseconds since 1970 on the sandbox clock. */
  readonly at: number
  /** When its answer had gone, or its connection; on the same clock, which may have been moved meanwhile. */
  readonly endedAt: number
  /** When it came, in real time since the process began: tells what came first, wherever the clock went. */
  readonly receivedMs: number
  readonly method: string
  /** Path and query as they came. */
  readonly url: string
  /** 0 when the connection was cut. */
  readonly status: number
  /** Real time. */
  readonly durationMs: number
  readonly clientId?: string | undefined
  readonly userId?: string | undefined
  readonly grantType?: string | undefined
  readonly error?: string | undefined
  /** Why it was refused: for the developer, never on the wire. */
  readonly detail?: string | undefined
  /** What a page told its user of it. */
  readonly message?: string | undefined
  /** Fault rule that changed the answer. */
  readonly faultId?: string | undefined
  /** What the sandbox fetched before it could answer. */
  readonly documentFetch?: DocumentFetch | undefined
  readonly request: RecordedMessage<IncomingHttpHeaders>
  readonly response: RecordedMessage<OutgoingHttpHeaders>
}

export interface RecordedMessage<Headers> {
  readonly headers: Headers
  /** Parsed or as text; absent when there was none or it was too large to keep whole. */
  readonly body?: unknown
  /** What a body was parsed from, where that is at hand: it need not be written out again to be kept. */
  readonly text?: string | undefined
  /** Bytes, kept or not. */
  readonly size: number
  readonly truncated: boolean
}

/** The latest requests, in memory, at most as many as the cap, and the sign-ins that they are. */
export interface RequestLog {
  add(record: RequestRecord): void
  get(id: string): RequestRecord | undefined
  /** In the order in which they came, whichever was answered first. */
  values(): RequestRecord[]
  /** The other way round, each unpacked when it is read; to be read before another is added. */
  newestFirst(): IterableIterator<RequestRecord>
  readonly size: number
  /** Grouped when somebody looks, since most requests come while nobody does. */
  readonly flows: Pick<Flows, 'get' | 'ofRequest' | 'values'>
  /** The sandbox's own requests, which those of the log wait for. */
  readonly fetches: Pick<DocumentFetches, 'add' | 'of'>
  /** Oldest first. */
  clockMoves(): readonly ClockMove[]
  /** Whether a request of an earlier run is called so: no other may be. */
  isRecalled(id: string): boolean
  /** Takes in what an earlier run has logged. */
  recall(earlier: {
    /** By segment: no sign-in of one goes on in the next. */
    segments: readonly (readonly RequestRecord[])[]
    clockMoves: readonly ClockMove[]
  }): void
  clear(): void
}

/**
 * @param cap setting `caps.requests`; 0 keeps none
 * @param clock whose moves are to stand beside the requests
 */
export function createRequestLog(
  cap: number,
  clock?: Pick<Clock, 'onChange' | 'read' | 'realNow'>,
): RequestLog {
  const rows = createPackedRows(cap, recordColumns)
  const names = createHeaderNames()
  const flows = createFlows()
  const recalled = new Set<string>()
  const fetches = createDocumentFetches()
  const moves = clock === undefined ? undefined : noteClockMoves(clock)

  /** Requests so far, and those of them that need not be grouped any more: they are, or were dropped before. */
  let added = 0
  let settled = 0

  /** Those that somebody has looked at, each by its number; they are looked at again and again until they are dropped. */
  let unpacked: (RequestRecord | undefined)[] = []

  function recordAt(index: number): RequestRecord | undefined {
    const place = (added - rows.length + index) % cap
    const known = unpacked[place]
    if (known !== undefined) return known
    const row = rows.at(index)
    return row === undefined ? undefined : (unpacked[place] = unpackRecord(row, names))
  }

  /** Where the rows are, in the order in which the requests came. */
  function places(): number[] {
    const came = Array.from({ length: rows.length }, (_, index) => ({
      index,
      receivedMs: rows.numberAt(index, receivedMsColumn) ?? 0,
    }))
    return came
      .toSorted((one, other) => one.receivedMs - other.receivedMs)
      .map(({ index }) => index)
  }

  function settledFlows(): Flows {
    for (; settled < added; settled += 1) {
      const record = recordAt(settled - (added - rows.length))
      if (record !== undefined) flows.add(record)
    }
    return flows
  }

  const log: RequestLog = {
    get size() {
      return rows.length
    },
    add(record) {
      if (cap === 0) return
      const oldestNumber = added - cap
      if (oldestNumber >= 0 && oldestNumber < settled) {
        // The sign-in of the oldest may go on with those that came since, this one too.
        settledFlows().add(record)
        settled += 1
        const oldest = recordAt(0)
        if (oldest !== undefined) flows.drop(oldest)
      } else if (oldestNumber >= 0) {
        settled = oldestNumber + 1
      }
      if (unpacked.length > 0) unpacked[added % cap] = undefined
      rows.push(packRecord(record, names))
      added += 1
    },
    get(id) {
      const hash = hashId(id)
      // Who asks for one asks for a late one more often than not.
      for (let index = rows.length - 1; index >= 0; index -= 1) {
        if (rows.numberAt(index, idHashColumn) !== hash) continue
        const record = recordAt(index)
        if (record?.id === id) return record
      }
      return undefined
    },
    values: () => places().flatMap((index) => recordAt(index) ?? []),
    *newestFirst() {
      for (const index of places().toReversed()) {
        const record = recordAt(index)
        if (record !== undefined) yield record
      }
    },
    flows: {
      get: (id) => settledFlows().get(id),
      ofRequest: (id) => settledFlows().ofRequest(id),
      values: () => settledFlows().values(),
    },
    fetches,
    clockMoves: () => moves?.values() ?? [],
    isRecalled: (id) => recalled.has(id),
    recall(earlier) {
      for (const records of earlier.segments) {
        for (const record of records) {
          recalled.add(record.id)
          log.add(record)
        }
        settledFlows().beginSegment()
      }
      moves?.recall(earlier.clockMoves)
    },
    clear() {
      rows.clear()
      names.clear()
      unpacked = []
      added = 0
      settled = 0
      flows.clear()
      fetches.clear()
      recalled.clear()
    },
  }
  return log
}
