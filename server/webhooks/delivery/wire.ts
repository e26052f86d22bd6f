import type { Attempt } from '../../state/entities/webhooks.ts'
import type { AttemptTimings, DeliveryError } from '../../contract/control-deliveries.ts'

/** The beginning of what a receiver answered. */
export type CapturedResponse = NonNullable<Attempt['response']>

export interface OutgoingRequest {
  url: string
  headers: readonly (readonly [string, string])[]
  body: string
  /** In all, from the first packet to the last byte that is kept. */
  deadlineMs: number
  connectTimeoutMs: number
  acceptSelfSigned?: boolean
  /** PEM */
  ca?: string
}

export interface AttemptResult {
  /** Absent = received: a 2xx answer, or a job that was started and did not fail. */
  error?: DeliveryError
  /** What was wrong with an answer although its status decides. */
  note?: string
  /** HTTP status, or the exit code of a job. */
  status?: number
  durationMs: number
  timings: AttemptTimings
  response?: CapturedResponse
}

/** With what is heeded and not kept. */
export interface SendingResult extends AttemptResult {
  /** The `Retry-After` of the answer: of its headers only the first ones are kept. */
  retryAfter?: string
}

export interface Sending {
  /** Never rejects: what goes wrong is a result. */
  readonly result: Promise<SendingResult>
  /** Ends it now with this error. */
  abort(error: DeliveryError): void
}

/** Sends one delivery once. */
export type Send = (request: OutgoingRequest) => Sending

/** What leads out of the sandbox, as far as deliveries go. */
export interface DeliveryWire {
  readonly post: Send
  /** Whether the sandbox refuses to call a URL, as far as that is known without a resolver. */
  isBlocked(url: string): boolean
  /** Why nothing can ever answer at a URL, with what to give instead. */
  findTargetProblem(url: URL): string | undefined
}
