import type { WebhookPayload } from './payload.ts'

/** Facts of one delivery. */
export interface DeliveryFacts {
  /** Name of the endpoint that took it. */
  endpoint: string
  /** The bytes as received; serialized again if the app parsed them before, for example with `express.json()`. */
  rawBody: Uint8Array
  headers: Headers
  receivedAt: Date
  /** The same for every attempt and replay of one delivery: the hub's `Webhook-Id`, else derived. */
  dedupeKey: string
  /** Number of the attempt, from 1; told by sandboxes only, and only where it is switched on. */
  attempt?: number
}

/** Context of a handler. */
export interface WebhookContext extends DeliveryFacts {
  /**
   * Does work after a 2xx answer has left: the hub gives up after 30 s and then sends again. Work
   * deferred by a handler that fails is dropped, since the hub's retry will defer it again.
   */
  readonly defer: (task: () => unknown) => void
  /**
   * Aborts when no answer can reach the sender any more (it hung up, or 30 s have passed without
   * the automatic 202), and when the server is closed before the work is done.
   */
  signal: AbortSignal
}

/** Handles deliveries; what it returns is the answer: JSON, nothing (204), or a `Response`. */
export type WebhookHandler<Payload = WebhookPayload> = (
  payload: Payload,
  context: WebhookContext,
) => unknown
