import { omitUndefined } from '../../core/omit-undefined.ts'
import http, { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { unescape } from 'node:querystring'
import type { Readable } from 'node:stream'
// Network deadlines use real time instead of the sandbox clock, like the other side of the connection.
import { formatDuration } from '../../core/duration.ts'
import { clearTimeout, setTimeout } from '../../core/timers.ts'
import {
  hostOf,
  lookupAmong,
  portOf,
  resolveTarget,
  type TargetAddress,
  type TargetPolicy,
} from './target-policy.ts'
import { DeadlineError } from './deadline-error.ts'

export interface ExchangeRequest {
  /** http or https */
  url: URL | string
  method: string
  headers: OutgoingHttpHeaders
  /** Path and query as sent; absent = those of the URL. */
  path?: string
  /** A stream is forwarded as it arrives. */
  body?: string | Readable
  /** Total time: from resolving the host to the last byte that is read. */
  deadlineMs: number
  /** Time limit for the connection; absent = `deadlineMs`. */
  connectTimeoutMs?: number
  acceptSelfSigned?: boolean
  /** PEM */
  ca?: string
}

export type ExchangePhase = 'connect' | 'tls' | 'wait' | 'read'

/** Receives the response. */
export interface ExchangeReader {
  onPhase?(phase: ExchangePhase): void
  /** Called with the head of the response. Nothing follows after a 101, since no other protocol is supported. */
  onHead(response: IncomingMessage): void
  /**
   * Called with each part of the body. Absent = the reader takes the body from the response itself.
   * @returns whether to read on; `false` ends the exchange successfully
   */
  onData?: (chunk: Buffer) => boolean
}

export interface Exchange {
  /**
   * Resolves when the response is complete, or the reader wants no more of it.
   * Rejects with a {@link DeadlineError}, the reason given to `abort`, or an error of resolver, socket or parser.
   */
  readonly done: Promise<void>
  /** Ends the exchange now; has no effect after its end. */
  abort(reason: Error): void
}

// Longer than a connection takes in a LAN, so that the second address is not tried for slowness alone.
const nextAddressAfterMs = 2500

/**
 * Sends one request over a new connection, and only to the addresses that were checked. Follows no redirects, uses no
 * proxy and no cookies. It settles exactly once, at the deadline at the latest, whatever the other side does: no
 * response, a flood of informational responses, a switch of protocols, one byte at a time.
 */
export function openExchange(
  request: ExchangeRequest,
  policy: TargetPolicy,
  reader: ExchangeReader,
): Exchange {
  const { body, deadlineMs, connectTimeoutMs } = request
  let over = false
  let answered = false
  let outgoing: ClientRequest | undefined
  let connectTimer: NodeJS.Timeout | undefined
  let resolveDone: () => void
  let rejectDone: (error: unknown) => void
  const done = new Promise<void>((resolve, reject) => {
    resolveDone = resolve
    rejectDone = reject
  })

  function finish(settle: () => void): void {
    if (over) return
    over = true
    clearTimeout(deadline)
    clearTimeout(connectTimer)
    settle()
    outgoing?.destroy()
  }
  const complete = () => finish(() => resolveDone())
  const fail = (error: unknown) => finish(() => rejectDone(error))

  const deadline = setTimeout(() => {
    const what = answered ? 'the response was not complete' : 'no response'
    fail(new DeadlineError('total', `${what} within ${formatDuration(deadlineMs)}`))
  }, deadlineMs)

  function head(response: IncomingMessage): void {
    answered = true
    reader.onPhase?.('read')
    reader.onHead(response)
  }

  function send(url: URL, addresses: readonly TargetAddress[]): void {
    reader.onPhase?.('connect')
    if (connectTimeoutMs !== undefined) {
      connectTimer = setTimeout(() => {
        const message = `no connection within ${formatDuration(connectTimeoutMs)}`
        fail(new DeadlineError('connect', message))
      }, connectTimeoutMs)
    }
    outgoing = openRequest(url, addresses, request)
    outgoing.on('socket', (socket) => {
      socket.once('connect', () => {
        clearTimeout(connectTimer)
        reader.onPhase?.(url.protocol === 'https:' ? 'tls' : 'wait')
      })
      socket.once('secureConnect', () => reader.onPhase?.('wait'))
    })
    let answer: IncomingMessage | undefined
    outgoing.on('error', (error) => {
      if (reader.onData !== undefined && answer !== undefined) handOver(answer)
      fail(error)
    })
    outgoing.on('close', () => {
      if (!answered) fail(new Error('the connection was closed without a response'))
    })
    // Without this listener Node drops the connection silently.
    outgoing.on('upgrade', (response, socket) => {
      socket.on('error', () => undefined)
      socket.destroy()
      head(response)
      complete()
    })
    outgoing.on('response', (response) => {
      head(response)
      answer = response
      const { onData } = reader
      if (onData !== undefined) {
        response.on('data', (chunk: Buffer) => {
          if (!onData(chunk)) complete()
        })
      }
      response.on('end', complete)
      response.on('error', fail)
    })
    if (typeof body === 'object') body.pipe(outgoing)
    else outgoing.end(body)
  }

  async function start(): Promise<void> {
    const url = new URL(request.url)
    const addresses = await resolveTarget(url, policy)
    if (!over) send(url, addresses)
  }
  start().catch(fail)
  return { done, abort: fail }
}

/** Passes data to the reader that arrived in the same packet as a parse error. */
function handOver(answer: IncomingMessage): void {
  let chunk: unknown
  do {
    chunk = answer.read()
  } while (chunk !== null)
}

/** Opens a request to addresses that were checked, on a connection of its own. */
export function openRequest(
  url: URL,
  addresses: readonly TargetAddress[],
  { method, headers, path, acceptSelfSigned, ca }: ExchangeRequest,
): ClientRequest {
  const [host, port] = [hostOf(url), portOf(url)]
  const reaching = {
    lookup: lookupAmong(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
  }
  const options: https.RequestOptions = {
    host,
    port,
    method,
    path: path ?? url.pathname + url.search,
    headers,
    // Oversized headers do not mean that a delivery failed; only some headers are stored.
    maxHeaderSize: 256 * 1024,
  }
  if (url.username !== '' || url.password !== '') {
    // A `%` that begins no escape is sent unchanged.
    options.auth = `${unescape(url.username)}:${unescape(url.password)}`
  }
  // The common members come last: see `extend` for the cost of starting with a spread.
  if (url.protocol === 'http:') {
    return http.request({
      // `agent: false` would create an agent, which is nearly half the cost of a request.
      agent: undefined,
      // Without this the Host header would name port 80.
      defaultPort: 80,
      createConnection: () => connect({ host, port, noDelay: true, ...reaching }),
      ...options,
    })
  }
  return https.request({
    agent: false,
    rejectUnauthorized: acceptSelfSigned !== true,
    ...omitUndefined({ ca }),
    ...reaching,
    ...options,
  })
}
