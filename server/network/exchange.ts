import { omitUndefined } from '../core/omit-undefined.ts'
import http, { type ClientRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import https from 'node:https'
import { connect } from 'node:net'
import { unescape } from 'node:querystring'
import type { Readable } from 'node:stream'
// Network deadlines run on real time, not on the sandbox clock: the other side of the wire does too.
import { formatDuration } from '../core/duration.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'
import {
  hostOf,
  lookupAmong,
  portOf,
  resolveTarget,
  type TargetAddress,
  type TargetPolicy,
} from './target.ts'
import { DeadlineError } from './deadline-error.ts'

export interface ExchangeRequest {
  /** http or https */
  url: URL | string
  method: string
  headers: OutgoingHttpHeaders
  /** Path and query as they go out; absent = those of the URL. */
  path?: string
  /** A stream is passed on as it comes. */
  body?: string | Readable
  /** In all: from looking the name up to the last byte that is wanted. */
  deadlineMs: number
  /** The part of it after which a connection must stand; absent = all of it. */
  connectTimeoutMs?: number
  acceptSelfSigned?: boolean
  /** PEM */
  ca?: string
}

export type ExchangePhase = 'connect' | 'tls' | 'wait' | 'read'

/** Who is told what comes back. */
export interface ExchangeReader {
  onPhase?(phase: ExchangePhase): void
  /** The head of the answer, of a 101 too: nothing follows that one, since no other protocol is spoken here. */
  onHead(response: IncomingMessage): void
  /**
   * Absent = the reader takes the body from the response itself.
   * @returns whether more is wanted; `false` ends the exchange well, the rest unread
   */
  onData?: (chunk: Buffer) => boolean
}

export interface Exchange {
  /**
   * Resolves when the answer is complete, or nothing more of it is wanted.
   * Rejects with a {@link DeadlineError}, what `abort` was given, or whatever resolver, socket and parser throw.
   */
  readonly done: Promise<void>
  /** Ends it now; without effect once it is over. */
  abort(reason: Error): void
}

// Longer than a LAN needs for a connection, so a second address is not tried for slowness alone.
const nextAddressAfterMs = 2500

/**
 * Makes one outgoing request over a connection of its own, to the very addresses that were checked. Redirects are
 * not followed, no proxy and no cookie is used. Whatever the other side does (it never answers, floods with
 * informational answers, switches protocols, drips), it is over at the deadline and settles exactly once.
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
    const what = answered ? 'the answer was not complete' : 'no answer'
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
      if (!answered) fail(new Error('the connection was closed without an answer'))
    })
    // Without this listener Node drops the connection and tells nobody.
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

/** Lets the reader have what came in one packet with a mistake of the answer, and waits still. */
function handOver(answer: IncomingMessage): void {
  let chunk: unknown
  do {
    chunk = answer.read()
  } while (chunk !== null)
}

function openRequest(
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
    // Oversized headers say nothing about whether a delivery arrived; few of them are kept.
    maxHeaderSize: 256 * 1024,
  }
  if (url.username !== '' || url.password !== '') {
    // A URL may hold a `%` that begins no escape: it is sent as it stands.
    options.auth = `${unescape(url.username)}:${unescape(url.password)}`
  }
  // What is common comes last: see `extend` for what it costs to begin with it.
  if (url.protocol === 'http:') {
    return http.request({
      // An agent of its own would be nearly half of what a request costs, although it keeps no connection.
      agent: undefined,
      // Without it the Host header would name port 80.
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
