import type { WebhookPayload } from './payload.ts'

/** Delivery of a handler. */
export interface DeliveryFacts {
  /** Name of the endpoint. */
  endpoint: string
  /** Received bytes; serialized again if the app parsed them before, for example with `express.json()`. */
  rawBody: Uint8Array
  headers: Headers
  receivedAt: Date
  /** Equal for all attempts and replays of one delivery: the Hub's `Webhook-Id`, or a digest. */
  dedupeKey: string
  /** Number of the attempt, from 1; only a sandbox sends it, if that is enabled. */
  attempt?: number
}

/** Context of a handler. */
export interface WebhookContext extends DeliveryFacts {
  /**
   * Runs work after a 2xx response was sent: the Hub gives up after 30 s and then sends the delivery again. Work of a handler
   * that fails is dropped, because the retry of the Hub defers it again.
   */
  readonly defer: (task: () => unknown) => void
  /**
   * Aborts when no response can reach the sender any more (it disconnected, or 30 s have passed without the automatic 202),
   * and when the server is closed before the work is done.
   */
  signal: AbortSignal
}

/** Handles deliveries. The returned value is the response: JSON, nothing (204), or a `Response`. */
export type WebhookHandler<Payload = WebhookPayload> = (
  payload: Payload,
  context: WebhookContext,
) => unknown
