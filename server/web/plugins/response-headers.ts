import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lfsMediaType } from '../../contract/hub-lfs.ts'
import type { Clock } from '../../core/clock.ts'
import type { Ids } from '../../core/ids.ts'
import { headersTooLarge } from '../../core/header-limit.ts'
import { hasTooManyLines, tooManyHeaderLines } from '../../core/header-lines.ts'
import { closeAfterLastRead, isUnanswered } from '../../core/last-read.ts'
import { pathOf } from '../../core/request-target.ts'
import { errorShapeOf } from '../app-of-url.ts'
import { lfsErrorBody } from './lfs-error-body.ts'
import { headerText, noteRefusal } from './refusals.ts'

/** Stops browsers from guessing the type: the text of an error must not run as a script or a page. */
const nosniff = 'X-Content-Type-Options'
/** Headers in Fastify's own form. */
const nosniffKey = nosniff.toLowerCase()

/** Returns the request id of a response, which users quote in a bug report. */
export type NameRequest = (headers: IncomingHttpHeaders) => string

/**
 * Creates request ids as the Hub does: the `X-Request-Id` of a request is returned unchanged; otherwise the id contains
 * its `X-Amzn-Trace-Id`, which the Python client creates for each request and prints with each error.
 */
export function createRequestNames({
  clock,
  ids,
  requests,
}: {
  clock: Clock
  ids: Ids
  requests?: { readonly size: number }
}): NameRequest {
  // A counter, because the number of polls of a client must not change any other random id.
  const run = Buffer.from(ids.of('request').bytes(8)).toString('hex')
  // With a seed, a recorded run has used the ids before these.
  let count = requests?.size ?? 0
  let second = Number.NaN
  let start = ''
  return (headers) => {
    const own = printable(headers['x-request-id'])
    if (own !== undefined) return own
    const now = Math.floor(clock.now() / 1000)
    if (now !== second) {
      second = now
      start = `Root=1-${hex(now)}-${run}`
    }
    const root = start + hex(++count)
    const trace = printable(headers['x-amzn-trace-id'])
    return trace === undefined ? root : `${root};${trace}`
  }
}

/** Eight hexadecimal digits. */
function hex(number: number): string {
  return (number >>> 0).toString(16).padStart(8, '0')
}

/** Values that a response may repeat in a header: visible ASCII of a sensible length. */
function printable(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && /^[\x21-\x7e]{1,256}$/.test(value) ? value : undefined
}

/**
 * Sets the headers of every response, including refusals: register it first.
 * @param nameRequest absent = the responses are not the Hub's and have no id
 */
export function registerResponseHeaders(app: FastifyInstance, nameRequest?: NameRequest): void {
  app.addHook('onRequest', (request, reply, done) => {
    addResponseHeaders(request, reply, nameRequest)
    done()
  })
}

function addResponseHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  nameRequest: NameRequest | undefined,
): void {
  reply.header(nosniffKey, 'nosniff')
  if (nameRequest === undefined) return
  reply.header('x-request-id', nameRequest(request.headers))
  for (const [name, value] of hubHeaders) reply.header(name, value)
}

/**
 * Headers of every response of the Hub. With this opener policy a page has no `window.opener`, and the app that opened it
 * sees a closed window: a sign-in in a popup returns by its redirect URI only. The policy applies to redirects, too.
 * @see https://html.spec.whatwg.org/multipage/browsers.html#cross-origin-opener-policies
 */
const hubHeaders = [
  ['cross-origin-opener-policy', 'same-origin'],
  ['referrer-policy', 'strict-origin-when-cross-origin'],
] as const

/** Sends the response to a URL that Fastify refuses before any hook: it cannot be decoded, or a part is too long. */
export function refuseAddress(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  nameRequest?: NameRequest,
): void {
  const isTooLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH'
  const message = isTooLong
    ? 'A part of the address is longer than any name may be.'
    : 'The address cannot be decoded: write a percent sign as %25.'
  addResponseHeaders(request, reply, nameRequest)
  noteRefusal(request, 'invalid_address', message)
  reply.code(isTooLong ? 414 : 400).header('x-error-message', headerText(message))
  switch (errorShapeOf(pathOf(request.url))) {
    case 'control':
      return void reply.send({ error: 'invalid_address', message })
    case 'oauth':
      return void reply.send({ error: 'invalid_request', error_description: message })
    case 'lfs':
      return void reply.type(lfsMediaType).send(lfsErrorBody(reply, message))
    case 'git':
      return void reply.type('text/plain; charset=utf-8').send(`${message}\n`)
    case 'hub':
      return void reply.send({ error: message })
  }
}

/** A request that is not valid HTTP. */
export interface MalformedRequest {
  status: number
  error: 'headers_too_large' | 'malformed_request'
  message: string
  /** The last bytes that were read. */
  packet: Buffer
}

/**
 * Responds to a request that Node cannot read as HTTP, and closes the connection.
 * @param note records the request; absent = it is not recorded
 */
export function refuseMalformed(
  error: Error & { code?: string; rawPacket?: unknown },
  socket: Socket,
  nameRequest?: NameRequest,
  note?: (malformed: MalformedRequest) => void,
): void {
  if (!isUnanswered(error, socket)) return
  const { rawPacket } = error
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket : Buffer.alloc(0)
  const malformed = describeMalformed(packet, error.code)
  const headers = nameRequest === undefined ? [] : [`X-Request-Id: ${nameRequest({})}`]
  writeRefusal(socket, malformed, headers)
  socket.end()
  closeAfterLastRead(socket)
  note?.({ ...malformed, packet })
}

/** Sends a response on a connection that has none of its own, and closes the connection. */
export function writeRefusal(
  socket: Duplex,
  { status, error, message }: Omit<MalformedRequest, 'packet'>,
  headers: readonly string[] = [],
): void {
  if (!socket.writable) return
  const body = JSON.stringify({ error, message })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `${nosniff}: nosniff`,
    ...headers,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function describeMalformed(
  packet: Buffer,
  code = 'unknown error',
): Omit<MalformedRequest, 'packet'> {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = hasTooManyLines(packet) ? tooManyHeaderLines : headersTooLarge
    return { status: 431, error: 'headers_too_large', message }
  }
  const error = 'malformed_request'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, error, message: 'The request was not sent to its end in time.' }
  }
  return { status: 400, error, message: `The request is not valid HTTP/1.1 (${code}).` }
}

/** A response on a connection. */
export class SandboxResponse<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  /** The headers it was given at once, where none was set before: they are all, and need no copy to be looked at. */
  allHeaders: OutgoingHttpHeaders | undefined

  /** Answers that the app does not make, such as Fastify's own while it stops, have none of its headers by now. */
  override writeHead(status: number, ...rest: unknown[]): this {
    const last = rest.at(-1)
    const headers =
      typeof last === 'object' && last !== null ? (last as OutgoingHttpHeaders) : undefined
    const isSet = (headers !== undefined && nosniffKey in headers) || this.hasHeader(nosniff)
    if (!isSet) this.setHeader(nosniff, 'nosniff')
    if (this.getHeaderNames().length === 0) this.allHeaders = headers
    // The overloads of Node, all of which end in the headers.
    return super.writeHead(status, ...(rest as [Record<string, string>]))
  }
}

/** Headers of a response that was sent. */
export function sentHeaders(reply: FastifyReply): OutgoingHttpHeaders {
  const { raw } = reply
  const all = raw instanceof SandboxResponse ? raw.allHeaders : undefined
  return all ?? (reply.getHeaders() as OutgoingHttpHeaders)
}
