import type { DeliveryError } from '../../../contract/control-deliveries.ts'
import type { BodyPace, MadeBody } from '../../../web/outgoing/wire.ts'

/** What a receiver did with one request. */
export interface Reaction {
  /** Absent if it gave no response. */
  readonly status?: number
  readonly error?: DeliveryError
  readonly durationMs: number
  /** Beginning of the body and the headers. */
  readonly text: string
  /** Delivery that shows it; absent if it is not kept, as in a storm. */
  readonly deliveryId?: string
}

/** Payload of an event, as JSON. */
export interface Payload extends Record<string, unknown> {
  readonly event: { readonly scope: string; readonly action: string }
}

/** One request to a receiver. Default: a correct delivery. */
export interface Sent {
  /** Default: a new payload. */
  readonly payload?: Payload
  /** Body that is sent instead of the payload. */
  readonly body?: string | Uint8Array | MadeBody
  /** Default: a new id. */
  readonly messageId?: string
  /** Values of the secret, where the receiver expects it; empty = none. Default: the right one. */
  readonly secrets?: readonly string[]
  /** Text that is added to the path. */
  readonly path?: string
  /** Whether the secret is only in the query. */
  readonly secretInQuery?: boolean
  readonly method?: 'GET'
  readonly pace?: BodyPace
  readonly abortAfterMs?: number
  readonly signal?: AbortSignal
  /** Time of the signature, relative to now. */
  readonly offsetMs?: number
  /** Text that is signed instead of the body. */
  readonly signedBody?: string
  /** Changes the value of a header; names are in lower case. */
  readonly header?: (name: string, value: string) => string
}

/** Amount of work that a receiver has done. */
export interface Effects {
  /** Reads the amount once it no longer changes: a number, or any text. */
  settled(): Promise<string>
  /** Change of the number by one delivery; absent for texts. */
  readonly unit?: number
}

/** Receiver that is judged. */
export interface Receiver {
  /** Absent if the audit knows none. */
  readonly secret?: string | undefined
  readonly secretIn: 'header' | 'query'
  readonly isSigned: boolean
  readonly deadlineMs: number
  /** Absent if no effects are known. */
  readonly effects?: Effects | undefined
  /** Makes a payload that differs from all earlier ones, of the event of the audit or another one. */
  payload(event?: string): Payload
  messageId(): string
  send(sent?: Sent): Promise<Reaction>
  wait(ms: number): Promise<void>
}

/**
 * Says how often work was done between two amounts.
 * @returns a number of deliveries; `undefined` if the amounts are texts that differ
 */
export function timesDone(
  { unit }: Pick<Effects, 'unit'>,
  before: string,
  after: string,
): number | undefined {
  if (before === after) return 0
  const change = Number(after) - Number(before)
  return unit === undefined || Number.isNaN(change) ? undefined : change / unit
}
