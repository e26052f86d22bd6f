import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** A request as it was, kept by reference: it becomes text, and its secrets are masked, when somebody looks. */
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
  /** Fault rule that changed the answer. */
  readonly faultId?: string | undefined
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

/** The latest requests, in memory, at most as many as the cap. */
export interface RequestLog {
  add(record: RequestRecord): void
  get(id: string): RequestRecord | undefined
  /** In the order in which they came, whichever was answered first. */
  values(): RequestRecord[]
  readonly size: number
  clear(): void
}

/** @param cap setting `caps.requests`; 0 keeps none */
export function createRequestLog(cap: number): RequestLog {
  let ring: RequestRecord[] = []
  /** Where the next record goes once the ring is full: the place of the oldest. */
  let next = 0
  return {
    get size() {
      return ring.length
    },
    add(record) {
      if (ring.length < cap) {
        ring.push(record)
      } else if (cap > 0) {
        ring[next] = record
        next = (next + 1) % cap
      }
    },
    get: (id) => ring.find((record) => record.id === id),
    values: () =>
      [...ring.slice(next), ...ring.slice(0, next)].toSorted(
        (one, other) => one.receivedMs - other.receivedMs,
      ),
    clear() {
      ring = []
      next = 0
    },
  }
}
