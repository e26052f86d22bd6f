import type { Attempt } from '../../store/entities/webhook-entities.ts'
import type { AttemptTimings, DeliveryError } from '../../contract/control-deliveries.ts'

/** Beginning of the response of a receiver. */
export type CapturedResponse = NonNullable<Attempt['response']>

/** Pace of a body: in pieces over some time, or its first half and then nothing. Absent = at once. */
export type BodyPace = { kind: 'slow'; overMs: number } | { kind: 'half' }

/** Body that is made while it is sent, so that a huge one is never held as a whole. */
export interface MadeBody {
  readonly bytes: number
  /** The parts, which have `bytes` bytes together. */
  readonly parts: () => Iterable<Uint8Array>
}

export interface OutgoingRequest {
  /** Default: POST. A GET has no body. */
  method?: 'POST' | 'GET'
  url: string
  headers: readonly (readonly [string, string])[]
  body: string | Uint8Array | MadeBody
  pace?: BodyPace
  /** Total time from the first packet to the last byte that is stored. */
  deadlineMs: number
  connectTimeoutMs: number
  acceptSelfSigned?: boolean
  /** PEM */
  ca?: string
}

export interface AttemptResult {
  /** Absent = success: a 2xx response, or a job that did not fail. */
  error?: DeliveryError
  /** Problem with the response that does not change the outcome: only the status counts. */
  note?: string
  /** HTTP status, or the exit code of a job. */
  status?: number
  durationMs: number
  timings: AttemptTimings
  response?: CapturedResponse
}

/** Result with the parts that are used but not stored. */
export interface SendingResult extends AttemptResult {
  /** `Retry-After` of the response; only its first headers are stored. */
  retryAfter?: string
}

export interface Sending {
  /** Never rejects: an error is a result. */
  readonly result: Promise<SendingResult>
  /** Ends the attempt now with this error. */
  abort(error: DeliveryError): void
}

/** Sends a delivery once. */
export type Send = (request: OutgoingRequest) => Sending

/** Network functions for deliveries. */
export interface DeliveryWire {
  readonly post: Send
  /** Returns whether the sandbox refuses to call a URL, as far as is known without resolving its host. */
  isBlocked(url: string): boolean
  /** Returns why no receiver can exist at a URL, and a fix; `undefined` when one can. */
  findTargetProblem(url: URL): string | undefined
}
