import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { CapsConfig } from '../../contract/fixtures-types.ts'
import type { XetRight } from '../../contract/words/hub-words.ts'
import type { Clock } from '../../core/clock.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Queue } from '../../core/queue.ts'
import { type ClockMove, noteClockMoves } from '../flows/clock-moves.ts'
import {
  createDocumentFetches,
  type DocumentFetch,
  type DocumentFetches,
} from '../flows/document-fetches.ts'
import { createFlows, type Flows } from '../flows/flows.ts'
import { createResends, type Resends } from './resends.ts'
import { isSignInPath } from '../flows/flow-traces.ts'

/** A request with its secrets, which are masked when it is shown. */
export interface RequestRecord {
  readonly id: string
  /** Time of arrival in milliseconds since 1970, on the sandbox clock. */
  readonly at: number
  /** Time when its response was sent or its connection closed, on the same clock, which may have been moved meanwhile. */
  readonly endedAt: number
  /** Time of arrival in real milliseconds since the process started: orders requests even when the clock was moved. */
  readonly receivedMs: number
  readonly method: string
  /** Path and query as sent. */
  readonly url: string
  /** 0 when the connection was cut. */
  readonly status: number
  /** Real time. */
  readonly durationMs: number
  readonly clientId?: string | undefined
  readonly userId?: string | undefined
  readonly grantType?: string | undefined
  readonly error?: string | undefined
  /** Reason of the refusal, for the developer; never sent to the client. */
  readonly detail?: string | undefined
  /** Message of the page that the user saw. */
  readonly message?: string | undefined
  /** Fault rule that matched the request. */
  readonly faultId?: string | undefined
  /** Changes that the rule made to the response, each in a few words. */
  readonly faultChanges?: readonly string[] | undefined
  /** Whether the response is an error because of the rule. */
  readonly faultRefused?: boolean | undefined
  /** Metadata document that the sandbox fetched before it responded. */
  readonly documentFetch?: DocumentFetch | undefined
  /** Request that this one repeats. */
  readonly resentFrom?: string | undefined
  readonly inference?: InferenceCall | undefined
  readonly transfer?: Transfer | undefined
  readonly request: RecordedMessage<IncomingHttpHeaders>
  readonly response: RecordedMessage<OutgoingHttpHeaders>
}

/** Call of a model. */
export interface InferenceCall {
  /** As the client named it. */
  readonly model: string
  readonly streamed: boolean
  /** Place of the rule that matched, from 1; 0 = none, so the model repeated the message; absent without a completion. */
  readonly rule?: number | undefined
}

/** Upload or download by Xet that a request is part of: all of one token. */
export interface Transfer {
  readonly id: string
  readonly right: XetRight
}

export interface RecordedMessage<Headers> {
  readonly headers: Headers
  /** Parsed or as a string; absent without a body, or when it was too large to keep. */
  readonly body?: unknown
  /** Bytes, including those that were not kept. */
  readonly size: number
  readonly truncated: boolean
}

/**
 * Latest requests, in memory, limited by number and by bytes. Requests of sign-ins are kept longer than others: they may
 * take half of the log before the oldest of them is dropped, so API reads never evict the sign-in that they follow.
 */
export interface RequestLog {
  add(record: RequestRecord): void
  get(id: string): RequestRecord | undefined
  /** Requests in the order of their arrival. */
  values(): RequestRecord[]
  /** Newest first. */
  newestFirst(): RequestRecord[]
  readonly size: number
  extent(): LogExtent
  /** Requests grouped into sign-ins. */
  readonly flows: Pick<Flows, 'get' | 'ofRequest' | 'values'>
  /** Requests of the sandbox itself that logged requests wait for. */
  readonly fetches: Pick<DocumentFetches, 'add' | 'of'>
  /** Requests that are being sent again. */
  readonly resends: Resends
  /** Oldest first. */
  clockMoves(): readonly ClockMove[]
  /** Checks whether a request of an earlier run has this id, which no new request may have. */
  isRecalled(id: string): boolean
  /** Adds the log of an earlier run. */
  recall(earlier: {
    /** Requests by segment: no sign-in continues in the next one. */
    segments: readonly (readonly RequestRecord[])[]
    clockMoves: readonly ClockMove[]
  }): void
  clear(): void
}

/** Number of requests in the log, and the time of the oldest. */
export interface LogExtent {
  kept: number
  /** Number of requests since the start or the last reset. */
  received: number
  /** Time of the oldest kept request, in milliseconds since 1970 on the sandbox clock. */
  since?: number
}

/** Requests of one kind. */
interface Shelf {
  readonly byId: Map<string, RequestRecord>
  /** In the order in which they ended, with the bytes of each. */
  readonly records: Queue<RequestRecord>
  readonly sizes: Queue<number>
  bytes: number
}

const newShelf = (): Shelf => ({
  byId: new Map(),
  records: new Queue(),
  sizes: new Queue(),
  bytes: 0,
})

/**
 * @param caps settings `caps.requests` and `caps.requestBytes`
 * @param clock clock whose moves are listed beside the requests
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

  const size = () => signIns.records.length + others.records.length

  function dropOldest(shelf: Shelf): void {
    const record = shelf.records.shift()
    if (record === undefined) return
    shelf.byId.delete(record.id)
    shelf.bytes -= shelf.sizes.shift() ?? 0
    flows.drop(record)
  }

  /** Drops the oldest requests over the limits, from the kind that takes more than half of the log. */
  function enforceCaps(): void {
    while (size() > caps.requests) {
      dropOldest(others.records.length > caps.requests / 2 ? others : signIns)
    }
    while (size() > 1 && signIns.bytes + others.bytes > caps.requestBytes) {
      dropOldest(others.bytes > caps.requestBytes / 2 ? others : signIns)
    }
  }

  const all = () => [...signIns.byId.values(), ...others.byId.values()]

  function oldest(): RequestRecord | undefined {
    let found: RequestRecord | undefined
    for (const record of all()) {
      if (found === undefined || record.receivedMs < found.receivedMs) found = record
    }
    return found
  }

  const values = () => all().toSorted((one, other) => one.receivedMs - other.receivedMs)

  const log: RequestLog = {
    get size() {
      return size()
    },
    add(record) {
      const shelf = isSignInPath(record.url) ? signIns : others
      const bytes = bytesOf(record)
      shelf.byId.set(record.id, record)
      shelf.records.push(record)
      shelf.sizes.push(bytes)
      shelf.bytes += bytes
      flows.add(record)
      received += 1
      enforceCaps()
    },
    get: (id) => signIns.byId.get(id) ?? others.byId.get(id),
    values,
    newestFirst: () => values().toReversed(),
    extent() {
      return { kept: size(), received, ...omitUndefined({ since: oldest()?.at }) }
    },
    flows,
    fetches,
    resends: createResends(),
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

/** A parsed body takes about this many times the bytes of its JSON. */
const parsedBodyFactor = 16

/** Estimates the memory of a record: strings at one byte a character, and the objects around them. */
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
