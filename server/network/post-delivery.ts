import { omitUndefined } from '../core/omit-undefined.ts'
import { performance } from '../core/timers.ts'
import type { IncomingMessage } from 'node:http'
import { DeadlineError } from './deadline-error.ts'
import { type ExchangePhase, openExchange } from './exchange.ts'
import type {
  AttemptResult,
  OutgoingRequest,
  Sending,
  SendingResult,
} from '../webhooks/delivery/wire.ts'
import type { AttemptTimings, DeliveryError } from '../contract/control-deliveries.ts'
import { maskUrl } from '../webhooks/delivery/webhook-request.ts'
import { classifyNetworkError } from './network-errors.ts'
import { captureResponse, type ResponseCapture } from './response-capture.ts'
import type { TargetPolicy } from './target.ts'

/**
 * Posts a body to a receiver over a connection of its own, and keeps the beginning of what comes
 * back. Redirects are not followed. A receiver cannot hold it past the deadline by sending slowly.
 */
export function postDelivery(outgoing: OutgoingRequest, policy: TargetPolicy): Sending {
  const phases = startPhases()
  let head: IncomingMessage | undefined
  let capture: ResponseCapture | undefined

  function resultOf(error: DeliveryError | undefined, note?: string): SendingResult {
    const { durationMs, timings } = phases.finish()
    const retryAfter = head?.headers['retry-after']
    return {
      durationMs,
      timings,
      ...omitUndefined({ error, note, retryAfter }),
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
      // Once there is a status it decides; a rest that is cut or malformed is noted.
      const note = `The body of the answer was not received well: ${problem.message}.`
      return resultOf(verdictOf(head), note)
    }
  }

  const { url, headers, body, deadlineMs, connectTimeoutMs, acceptSelfSigned, ca } = outgoing
  const exchange = openExchange(
    {
      url,
      method: 'POST',
      headers: Object.fromEntries([...headers, ['Content-Length', Buffer.byteLength(body)]]),
      body,
      deadlineMs,
      connectTimeoutMs,
      ...omitUndefined({ acceptSelfSigned, ca }),
    },
    policy,
    {
      onPhase: (phase) => phases.enter(phase),
      onHead: (response) => {
        head = response
        capture = captureResponse(response)
      },
      onData: (chunk) => capture?.add(chunk) ?? false,
    },
  )
  return { result: send(), abort: (reason) => exchange.abort(new Aborted(reason)) }
}

/** Whoever asked for the delivery ended it. */
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
    // A receiver may send on to the same secret in the URL that it was called with.
    return { class: 'redirect', message: `answered ${status} to ${maskUrl(headers.location)}` }
  }
  return { class: 'http_status', message: `answered ${status}` }
}

type Phase = 'dns' | ExchangePhase

/** Splits the time of an attempt into phases; each begins where the one before ends. */
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
