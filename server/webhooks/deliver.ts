import http from 'node:http'
import https from 'node:https'
import type { TcpNetConnectOpts } from 'node:net'
import { performance } from 'node:perf_hooks'
// Network deadlines run on real time, not on the sandbox clock: the other side of the wire does too.
import { clearTimeout, setTimeout } from 'node:timers'
import { formatDuration } from '../core/duration.ts'
import type { AttemptTimings, DeliveryError } from '../state/entities/webhooks.ts'
import { classifyNetworkError } from './network-errors.ts'
import { type CapturedResponse, captureResponse, type ResponseCapture } from './response-capture.ts'
import {
  lookupAmong,
  hostOf,
  portOf,
  resolveTarget,
  type TargetAddress,
  type TargetPolicy,
} from './target.ts'

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
  /** HTTP status, or the exit code of a job. */
  status?: number
  durationMs: number
  timings: AttemptTimings
  response?: CapturedResponse
}

export interface Sending {
  /** Never rejects: what goes wrong is a result. */
  readonly result: Promise<AttemptResult>
  /** Ends it now with this error. */
  abort(error: DeliveryError): void
}

/** Sends one delivery once. */
export type Send = (request: OutgoingRequest, policy: TargetPolicy) => Sending

// Longer than a LAN needs for a connection, so a second address is not tried for slowness alone.
const nextAddressAfterMs = 2500

/**
 * Posts a body to a receiver over a connection of its own, and keeps the beginning of what comes
 * back. Redirects are not followed. A receiver cannot hold it past the deadline by sending slowly.
 */
export const sendOverHttp: Send = (outgoing, policy) => {
  const phases = startPhases()
  let over = false
  let request: http.ClientRequest | undefined
  let capture: ResponseCapture | undefined
  let connectTimer: NodeJS.Timeout | undefined
  let settle: (result: AttemptResult) => void
  const result = new Promise<AttemptResult>((resolve) => {
    settle = resolve
  })

  function end(error: DeliveryError | undefined): void {
    if (over) return
    over = true
    clearTimeout(deadline)
    clearTimeout(connectTimer)
    settle({
      ...phases.finish(),
      ...(error && { error }),
      ...describe(capture),
    })
    request?.destroy()
  }

  const deadline = setTimeout(() => {
    const what = capture === undefined ? 'no answer' : 'the answer was not complete'
    end({ class: 'timeout', message: `${what} within ${formatDuration(outgoing.deadlineMs)}` })
  }, outgoing.deadlineMs)

  function connect(url: URL, addresses: readonly TargetAddress[]): void {
    phases.enter('connect')
    connectTimer = setTimeout(() => {
      const message = `no connection within ${formatDuration(outgoing.connectTimeoutMs)}`
      end({ class: 'connect_timeout', message })
    }, outgoing.connectTimeoutMs)
    request = openRequest(url, addresses, outgoing)
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        clearTimeout(connectTimer)
        phases.enter(url.protocol === 'https:' ? 'tls' : 'wait')
      })
      socket.once('secureConnect', () => phases.enter('wait'))
    })
    request.on('error', (error) => end(classifyNetworkError(error)))
    request.on('upgrade', (response) => {
      capture = captureResponse(response)
      end(verdictOf(response))
    })
    request.on('response', (response) => {
      phases.enter('read')
      const captured = captureResponse(response)
      capture = captured
      response.on('data', (chunk: Buffer) => {
        if (!captured.add(chunk)) end(verdictOf(response))
      })
      response.on('end', () => end(verdictOf(response)))
      response.on('error', (error) => end(classifyNetworkError(error)))
    })
    request.end(outgoing.body)
  }

  async function start(): Promise<void> {
    const url = new URL(outgoing.url)
    const addresses = await resolveTarget(url, policy)
    if (!over) connect(url, addresses)
  }
  start().catch((error: unknown) => end(classifyNetworkError(error)))

  return { result, abort: end }
}

function openRequest(
  url: URL,
  addresses: readonly TargetAddress[],
  { headers, body, acceptSelfSigned, ca }: OutgoingRequest,
): http.ClientRequest {
  const options: https.RequestOptions & Partial<TcpNetConnectOpts> = {
    method: 'POST',
    hostname: hostOf(url),
    port: portOf(url),
    path: url.pathname + url.search,
    headers: { ...Object.fromEntries(headers), 'Content-Length': Buffer.byteLength(body) },
    agent: false,
    lookup: lookupAmong(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    // Oversized headers say nothing about whether the delivery arrived; few of them are kept.
    maxHeaderSize: 256 * 1024,
  }
  if (url.username !== '') {
    options.auth = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  }
  if (url.protocol === 'http:') return http.request(options)
  return https.request({
    ...options,
    rejectUnauthorized: acceptSelfSigned !== true,
    ...(ca !== undefined && { ca }),
  })
}

function describe(capture: ResponseCapture | undefined): Partial<AttemptResult> {
  if (capture === undefined) return {}
  const response = capture.finish()
  return { status: response.status, response }
}

function verdictOf(response: http.IncomingMessage): DeliveryError | undefined {
  const { statusCode: status = 0, headers } = response
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return { class: 'redirect', message: `answered ${status} to ${headers.location}` }
  }
  return { class: 'http_status', message: `answered ${status}` }
}

type Phase = 'dns' | 'connect' | 'tls' | 'wait' | 'read'

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
