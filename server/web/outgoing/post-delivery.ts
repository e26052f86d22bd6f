import { omitUndefined } from '../../core/omit-undefined.ts'
import { performance } from '../../core/timers.ts'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { own, setOwn } from '../../core/own.ts'
import { DeadlineError } from './deadline-error.ts'
import { type ExchangePhase, openExchange } from './open-exchange.ts'
import type { AttemptResult, OutgoingRequest, Sending, SendingResult } from './wire.ts'
import type { AttemptTimings, DeliveryError } from '../../contract/control-deliveries.ts'
import { maskUrl } from '../../core/mask-url.ts'
import { classifyNetworkError } from './network-errors.ts'
import { captureResponse, type ResponseCapture } from './response-capture.ts'
import { slowBody } from './slow-body.ts'
import type { TargetPolicy } from './target-policy.ts'

/**
 * Posts a delivery to its receiver over a new connection, and stores the beginning of the response. Follows no
 * redirects, and ends at the deadline even if the receiver sends slowly.
 */
export function postDelivery(outgoing: OutgoingRequest, policy: TargetPolicy): Sending {
  const {
    method = 'POST',
    url,
    headers,
    body,
    pace,
    deadlineMs,
    connectTimeoutMs,
    acceptSelfSigned,
    ca,
  } = outgoing
  const phases = startPhases()
  const paced = pace === undefined ? undefined : slowBody(wholeOf(body), pace)
  const content = method === 'GET' ? undefined : (paced ?? streamed(body))
  let head: IncomingMessage | undefined
  let capture: ResponseCapture | undefined

  function resultOf(error: DeliveryError | undefined, note?: string): SendingResult {
    const { durationMs, timings } = phases.finish()
    const retryAfter = head?.headers['retry-after']
    paced?.destroy()
    return {
      durationMs,
      timings,
      ...omitUndefined(pace?.kind === 'half' ? ofHalf(error) : { error, note, retryAfter }),
      ...describe(capture),
    }
  }

  async function send(): Promise<SendingResult> {
    try {
      await exchange.done
      return resultOf(head && verdictOf(head))
    } catch (error) {
      if (error instanceof Aborted) return resultOf(error.reason)
      const problem = classifyNetworkError(error)
      if (head === undefined || error instanceof DeadlineError) return resultOf(problem)
      // Only the status counts; a truncated or malformed rest becomes a note.
      const note = `The body of the response was incomplete or malformed: ${problem.message}.`
      return resultOf(verdictOf(head), note)
    }
  }

  paced?.once('end', () => {
    if (head === undefined) phases.enter('wait')
  })
  const exchange = openExchange(
    {
      url,
      method,
      headers: headersOf(headers, method === 'GET' ? undefined : sizeOf(body)),
      ...omitUndefined({ body: content }),
      deadlineMs,
      connectTimeoutMs,
      ...omitUndefined({ acceptSelfSigned, ca }),
    },
    policy,
    {
      // A body that is sent at once counts as no phase.
      onPhase: (phase) => phases.enter(phase === 'wait' && paced ? 'send' : phase),
      onHead: (response) => {
        head = response
        capture = captureResponse(response)
      },
      onData: (chunk) => capture?.add(chunk) ?? false,
    },
  )
  return { result: send(), abort: (reason) => exchange.abort(new Aborted(reason)) }
}

/** A header that is given twice is sent twice. */
function headersOf(
  given: OutgoingRequest['headers'],
  size: number | undefined,
): Record<string, string | string[] | number> {
  const headers: Record<string, string | string[] | number> = {}
  for (const [name, value] of given) {
    const earlier = own(headers, name)
    const values = earlier === undefined ? value : [earlier, value].flat().map(String)
    setOwn(headers, name, values)
  }
  return size === undefined ? headers : { ...headers, 'Content-Length': size }
}

function sizeOf(body: OutgoingRequest['body']): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : body.bytes
}

function wholeOf(body: OutgoingRequest['body']): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body)
  return body instanceof Uint8Array ? body : Buffer.concat([...body.parts()])
}

function streamed(body: OutgoingRequest['body']): string | Readable {
  if (typeof body === 'string') return body
  return Readable.from(body instanceof Uint8Array ? [body] : body.parts(), { objectMode: false })
}

/** Half a delivery is never a success, whatever the receiver responds. */
function ofHalf(error: DeliveryError | undefined): Pick<SendingResult, 'error' | 'note'> {
  return {
    error: error ?? {
      class: 'sender_fault',
      message: 'responded with success to half of the body',
    },
    note: 'Only the first half of the body was sent, to see how long the receiver waits.',
  }
}

/** Reason for which the caller aborted the delivery. */
class Aborted extends Error {
  readonly reason: DeliveryError

  constructor(reason: DeliveryError) {
    super(reason.message)
    this.reason = reason
  }
}

function describe(capture: ResponseCapture | undefined): Partial<AttemptResult> {
  if (capture === undefined) return {}
  const response = capture.finish()
  return { status: response.status, response }
}

function verdictOf(response: IncomingMessage): DeliveryError | undefined {
  const { statusCode: status = 0, headers } = response
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    // A receiver may redirect to a URL with the secret that it was called with.
    return {
      class: 'redirect',
      message: `responded with ${status}, a redirect to ${maskUrl(headers.location)}`,
    }
  }
  return { class: 'http_status', message: `responded with ${status}` }
}

type Phase = 'dns' | 'send' | ExchangePhase

/** Measures the phases of an attempt; each begins where the previous one ends. */
function startPhases() {
  const started = performance.now()
  const timings: AttemptTimings = {}
  let phase: Phase = 'dns'
  let since = started
  function leave(): void {
    const now = performance.now()
    timings[`${phase}Ms`] = round(now - since)
    since = now
  }
  return {
    enter(next: Phase): void {
      leave()
      phase = next
    },
    finish() {
      leave()
      return { durationMs: round(since - started), timings }
    },
  }
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100
}
