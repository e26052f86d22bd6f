import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { headersTooLarge } from '../../../core/header-limit.ts'
import { closeAfterLastRead, isUnanswered } from '../../../core/last-read.ts'

/** Target of forwarded requests. */
export interface Upstream {
  /** Scheme, name and port. */
  readonly url: URL
  readonly agent: http.Agent
  /** Connection options: checked addresses, a certificate. */
  readonly connection?: https.RequestOptions
}

/** Hop-by-hop headers (RFC 9110 §7.6.1); the body gets new framing. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  // Handled on the side of the client.
  'expect',
])

/** Changes to a forwarded request. */
export interface Rewritten {
  path: string
  /** Absent: unchanged. */
  host?: string
}

/** Returns the received headers in their order and spelling. */
function withoutConnection(rawHeaders: readonly string[], further: readonly string[]): string[] {
  return withoutNames(rawHeaders, new Set([...ofConnection, ...further]))
}

function withoutNames(rawHeaders: readonly string[], dropped: ReadonlySet<string>): string[] {
  return rawHeaders.filter((_text, index) => {
    const name = rawHeaders[index - (index % 2)] ?? ''
    return !dropped.has(name.toLowerCase())
  })
}

/** Framing of the body: without it, the body would be read as the next request, whatever `Connection` says. */
const framing = new Set(['content-length', 'transfer-encoding'])

/** The target takes precedence over the header (RFC 9112 §3.2.2). */
function withHost(headers: readonly string[], host: string | undefined): readonly string[] {
  return host === undefined ? headers : ['Host', host, ...withoutNames(headers, new Set(['host']))]
}

function namedByConnection({ headers }: IncomingMessage): string[] {
  return (headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => !framing.has(name))
}

/** Forwards a request and its response unchanged: a broken response breaks here, too. */
export function forward(
  { url, agent, connection }: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
  { path, host }: Rewritten,
): void {
  const named = namedByConnection(request)
  const headers = withHost(withoutConnection(request.rawHeaders, named), host)
  const sent = open(url, { ...connection, agent, path, headers, method: methodOf(request) })
  sent.on('response', (answer) => {
    const answered = withoutConnection(answer.rawHeaders, namedByConnection(answer))
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answered)
    answer.on('error', () => response.destroy())
    answer.pipe(response)
  })
  sent.on('error', (error) => failAs(response, error, url))
  // A response may arrive before the body is sent; the rest of the body is dropped then.
  request.on('error', () => sent.destroy())
  response.on('close', () => sent.destroy())
  request.pipe(sent)
}

function methodOf({ method = 'GET' }: IncomingMessage): string {
  return method
}

function open(url: URL, options: https.RequestOptions): ClientRequest {
  const send = url.protocol === 'https:' ? https.request : http.request
  return send(url, { ...options, setHost: false })
}

/** Responds with a message if the target is unreachable; breaks the connection if the target broke it. */
function failAs(response: ServerResponse, error: NodeJS.ErrnoException, url: URL): void {
  const neverOpened = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EAI_AGAIN)$/
  if (response.headersSent || !neverOpened.test(error.code ?? '')) {
    response.destroy()
    return
  }
  refuseRequest(response, 502, `${url.origin} does not respond (${error.code}).`)
}

/** Reason phrase of a refusal: clients show it where they drop the body, as that of a refused tunnel. */
export const notIntercepted = 'Not intercepted by hub-sandbox'

export function refuseRequest(
  response: ServerResponse,
  status: number,
  sentence: string,
  phrase = http.STATUS_CODES[status],
): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response
    .writeHead(status, phrase, {
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      Connection: 'close',
    })
    .end(`${sentence}\n`)
}

/** Forwards an upgrade, such as a WebSocket's, and then the bytes of both sides. */
export function forwardUpgrade(
  { url, connection }: Upstream,
  request: IncomingMessage,
  client: Duplex,
  { head, path, host }: Rewritten & { head: Buffer },
): void {
  const headers = withHost(request.rawHeaders, host)
  const sent = open(url, { ...connection, agent: false, path, headers, method: methodOf(request) })
  client.on('close', () => sent.destroy())
  sent.on('error', () => client.destroy())
  sent.on('upgrade', (answer, upstream, upstreamHead) => {
    client.write(headOf(answer))
    client.write(upstreamHead)
    upstream.write(head)
    join(client, upstream)
  })
  sent.on('response', (answer) => {
    // The body gets a new framing: its own was removed.
    client.write(headOf(answer, ['transfer-encoding', 'connection'], 'Connection: close\r\n'))
    answer.on('error', () => client.destroy())
    answer.pipe(client)
  })
  sent.end()
}

function headOf(answer: IncomingMessage, without: readonly string[] = [], further = ''): string {
  const { rawHeaders, statusCode, statusMessage } = answer
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || without.includes(name.toLowerCase())
      ? []
      : `${name}: ${rawHeaders[index + 1]}\r\n`,
  )
  return `HTTP/1.1 ${statusCode} ${statusMessage}\r\n${lines.join('')}${further}\r\n`
}

/** Connects both sides until either closes. */
export function join(one: Duplex, other: Duplex): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', () => to.destroy())
    from.on('close', () => to.destroy())
    from.pipe(to)
  }
}

/**
 * Refuses an invalid request.
 */
export function refuseUnreadable(error: Error & { code?: string }, socket: Duplex): void {
  if (!isUnanswered(error, socket)) return
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  if (isTooLarge) refuseSocket(socket, 431, headersTooLarge)
  else refuseSocket(socket, 400, `The request is not valid HTTP/1.1 (${error.code}).`)
  closeAfterLastRead(socket)
}

/** Response text to refuse a tunnel or upgrade, which have no response object. */
export function refuseSocket(
  socket: Duplex,
  status: number,
  sentence: string,
  phrase = http.STATUS_CODES[status],
): void {
  const body = `${sentence}\n`
  socket.end(
    `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
