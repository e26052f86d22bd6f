import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { CapsConfig } from '../../contract/fixtures-types.ts'
import type { Clock } from '../../core/clock.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { type ClockMove, noteClockMoves } from '../flows/clock-moves.ts'
import {
  createDocumentFetches,
  type DocumentFetch,
  type DocumentFetches,
} from '../flows/document-fetches.ts'
import { createFlows, type Flows } from '../flows/flows.ts'
import { isSignInPath } from '../flows/flow-traces.ts'

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
  /** Bytes, kept or not. */
  readonly size: number
  readonly truncated: boolean
}

/**
 * The latest requests, in memory, limited by their number and by their bytes. Requests of a sign-in outlive others: they
 * may take half of the log before the oldest of them is dropped, so API reads never push out the sign-in they follow.
 */
export interface RequestLog {
  add(record: RequestRecord): void
  get(id: string): RequestRecord | undefined
  /** In the order in which they came, whichever was answered first. */
  values(): RequestRecord[]
  /** Newest first. */
  newestFirst(): RequestRecord[]
  readonly size: number
  /** How far back the log goes. */
  extent(): LogExtent
  /** Requests grouped into sign-ins. */
  readonly flows: Pick<Flows, 'get' | 'ofRequest' | 'values'>
  /** The sandbox's own requests, which those of the log wait for. */
  readonly fetches: Pick<DocumentFetches, 'add' | 'of'>
  /** Oldest first. */
  clockMoves(): readonly ClockMove[]
  /** Whether a request of an earlier run has this id: a new one must not. */
  isRecalled(id: string): boolean
  /** Adds what an earlier run has logged. */
  recall(earlier: {
    /** By segment: no sign-in of one goes on in the next. */
    segments: readonly (readonly RequestRecord[])[]
    clockMoves: readonly ClockMove[]
  }): void
  clear(): void
}

/** How much of what was received the log still has. */
export interface LogExtent {
  kept: number
  /** Since the start or the last reset. */
  received: number
  /** Time of the oldest request that is kept, in milliseconds since 1970 on the sandbox clock. */
  since?: number
}

/** Requests of one kind, in the order in which they ended. */
interface Shelf {
  readonly records: Map<string, RequestRecord>
  bytes: number
}

const newShelf = (): Shelf => ({ records: new Map(), bytes: 0 })

/**
 * @param caps settings `caps.requests` and `caps.requestBytes`
 * @param clock its moves are listed beside the requests
 */
export function createRequestLog(
  caps: Pick<CapsConfig, 'requests' | 'requestBytes'>,
  clock?: Pick<Clock, 'onChange' | 'read' | 'realNow'>,
): RequestLog {
  let signIns = newShelf()
  let others = newShelf()
  const flows = createFlows()
  let received = 0
  const recalled = new Set<string>()
  const fetches = createDocumentFetches()
  const moves = clock === undefined ? undefined : noteClockMoves(clock)

  const size = () => signIns.records.size + others.records.size

  function dropOldest(shelf: Shelf): void {
    const [oldest] = shelf.records.values()
    if (oldest === undefined) return
    shelf.records.delete(oldest.id)
    shelf.bytes -= bytesOf(oldest)
    flows.drop(oldest)
  }

  /** Drops what is over the limits, from the kind of requests that has more than its half. */
  function enforceCaps(): void {
    while (size() > caps.requests) {
      dropOldest(others.records.size > caps.requests / 2 ? others : signIns)
    }
    while (size() > 1 && signIns.bytes + others.bytes > caps.requestBytes) {
      dropOldest(others.bytes > caps.requestBytes / 2 ? others : signIns)
    }
  }

  const values = () =>
    [...signIns.records.values(), ...others.records.values()].toSorted(
      (one, other) => one.receivedMs - other.receivedMs,
    )

  const log: RequestLog = {
    get size() {
      return size()
    },
    add(record) {
      const shelf = isSignInPath(record.url) ? signIns : others
      shelf.records.set(record.id, record)
      shelf.bytes += bytesOf(record)
      flows.add(record)
      received += 1
      enforceCaps()
    },
    get: (id) => signIns.records.get(id) ?? others.records.get(id),
    values,
    newestFirst: () => values().toReversed(),
    extent() {
      const [oldest] = values()
      return { kept: size(), received, ...omitUndefined({ since: oldest?.at }) }
    },
    flows,
    fetches,
    clockMoves: () => moves?.values() ?? [],
    isRecalled: (id) => recalled.has(id),
    recall(earlier) {
      for (const records of earlier.segments) {
        for (const record of records) {
          recalled.add(record.id)
          log.add(record)
        }
        flows.beginSegment()
      }
      moves?.recall(earlier.clockMoves)
    },
    clear() {
      signIns = newShelf()
      others = newShelf()
      received = 0
      flows.clear()
      fetches.clear()
      recalled.clear()
    },
  }
  return log
}

/** Objects of a parsed body take about this many times the bytes of its text. */
const parsedBodyFactor = 16

/** Rough size of a record in memory: texts at one byte a character, and the objects around them. */
function bytesOf({ url, error, detail, message, request, response }: RequestRecord): number {
  const texts = [url, error, detail, message].reduce((sum, text) => sum + (text?.length ?? 0), 0)
  return 1000 + texts + bytesOfMessage(request) + bytesOfMessage(response)
}

function bytesOfMessage({
  headers,
  body,
  size,
}: RecordedMessage<IncomingHttpHeaders | OutgoingHttpHeaders>): number {
  const ofHeaders = Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + String(value).length + 50,
    0,
  )
  if (body === undefined) return ofHeaders
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  return ofHeaders + (isText ? body.length : parsedBodyFactor * size)
}
