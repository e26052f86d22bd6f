import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { maskText } from '../../core/mask.ts'
import { shortened } from '../../core/shortened.ts'
import { performance } from '../../core/timers.ts'
import type { Deps } from '../../hub/deps.ts'
import { detailOf } from './request-reason.ts'
import { isExpected } from './expected.ts'
import { resendHeader } from './resends.ts'
import type {
  InferenceCall,
  RecordedMessage,
  RequestLog,
  RequestRecord,
  Transfer,
} from './request-log.ts'
import { headerBytes } from '../../web/plugins/header-limits.ts'
import { type MalformedRequest, sentHeaders } from '../../web/plugins/response-headers.ts'
import { attribute } from './attribution.ts'

/** Dependencies of the hooks. */
interface LogDeps extends Pick<Deps, 'bus' | 'clock'> {
  readonly requests: RequestLog
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Records a call of the control API as the request of the hub that it stands for. */
    standsFor?: (request: FastifyRequest) => StandIn
    /** Masks a parsed body for the log. Default: unchanged, since other secrets are masked by name. */
    noteBody?: (body: unknown) => unknown
  }
  interface FastifyRequest {
    /** Real time; 0 for requests that were refused before any hook. */
    receivedAt: number
    /** Time of arrival on the sandbox clock. */
    cameAt: number
    /** Request of the hub that this one stands for. */
    standIn: StandIn | undefined
    /** Body of the response as sent. */
    answerBody?: unknown
    /** Fault rule that matched, with its changes to the response. */
    faultEffect?: FaultEffect
    /** Request that this one repeats. */
    resentFrom: string | undefined
    /** Call of a model that it is. */
    inference: InferenceCall | undefined
    /** Upload or download by Xet that it is part of. */
    transfer: Transfer | undefined
    /** A request that was cut off may still run to its end, and must not be recorded twice. */
    isRecorded: boolean
  }
}

/** Changes that a fault rule made to a response. */
interface FaultEffect {
  id: string
  changes: readonly string[]
  /** Whether the response is an error because of the rule. */
  refused: boolean
}

/** Request of the hub for which the control API was called. */
export interface StandIn {
  method: string
  /** Path and query. */
  url: string
  clientId?: string | undefined
  userId?: string | undefined
  /** Returns the response that the hub would send. */
  answer(payload: unknown, status: number): { status: number; headers: OutgoingHttpHeaders }
}

const maxBodyBytes = 16 * 1024
/** Characters that the headers of a request may have together before long values are shortened. */
const maxHeadersKept = 32 * 1024
const maxLongValue = 1024
/** Characters of a URL. */
const longestUrl = 16 * 1024

/** Sets the request that a call stands for. Register it before the hooks that read it. */
export function registerStandIns(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    request.standIn = request.routeOptions.config.standsFor?.(request)
    done()
  })
}

/**
 * Records requests of the emulated hub and calls of the control API that stand for one. Others are left out: the dashboard would fill the log.
 * @param concerns called when the request has ended
 */
export function registerRequestLog(
  app: FastifyInstance,
  { requests, bus, clock }: LogDeps,
  concerns: (request: FastifyRequest) => boolean,
): void {
  app.decorateRequest('receivedAt', 0)
  app.decorateRequest('cameAt', 0)
  app.decorateRequest('standIn', undefined)
  app.decorateRequest('isRecorded', false)
  app.decorateRequest('answerBody', undefined)
  app.decorateRequest('faultEffect', undefined)
  app.decorateRequest('resentFrom', undefined)
  app.decorateRequest('inference', undefined)
  app.decorateRequest('transfer', undefined)
  app.addHook('onRequest', (request, { raw }, done) => {
    request.receivedAt = performance.now()
    request.cameAt = clock.now()
    const secret = request.raw.headers[resendHeader]
    if (secret !== undefined) {
      const { [resendHeader]: _secret, ...headers } = request.raw.headers
      request.raw.headers = headers
      request.resentFrom = requests.resends.claim(String(secret), request.id)
    }
    // `onRequestAbort` misses clients that disconnect before the response if their body was read to its end.
    raw.on('close', () => record(request, 0, {}))
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.answerBody = payload
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply.statusCode, sentHeaders(reply))
    done()
  })
  // A response that waits behind another one on its connection gets no event when that breaks.
  app.addHook('onRequestAbort', (request, done) => {
    record(request, 0, {})
    done()
  })

  function record(request: FastifyRequest, status: number, headers: OutgoingHttpHeaders): void {
    if (request.receivedAt === 0 || request.isRecorded || !concerns(request)) return
    request.isRecorded = true
    const durationMs = Math.round((performance.now() - request.receivedAt) * 100) / 100
    const { id, faultEffect, refusal, standIn } = request
    const { method } = standIn ?? request
    const url = shortened((standIn ?? request).url, longestUrl)
    const { error, detail, message } = refusal ?? {}
    const { clientId, userId, grantType } = attribute(request)
    const logged = standIn?.answer(request.answerBody, status) ?? { status, headers }
    // Every field is written out: this runs for each request, and a spread costs several times as much.
    const record: RequestRecord = {
      id,
      at: request.cameAt,
      endedAt: clock.now(),
      receivedMs: request.receivedAt,
      method,
      url,
      status: logged.status,
      durationMs,
      clientId,
      userId,
      grantType,
      error,
      detail,
      message,
      faultId: faultEffect?.id,
      faultChanges: faultEffect?.changes,
      faultRefused: faultEffect?.refused,
      documentFetch: requests.fetches.of(clientId, request.receivedAt),
      resentFrom: request.resentFrom,
      inference: request.inference,
      transfer: request.transfer,
      request: keepRequest(request),
      response: keepResponse(
        standIn === undefined ? request.answerBody : undefined,
        logged.headers,
        status === 0,
      ),
    }
    requests.add(record)
    const isNormal = isExpected(record)
    bus.emit('request.completed', {
      id,
      method,
      path: url.includes('?') ? maskText(url) : url,
      status: logged.status,
      durationMs,
      clientId,
      userId,
      error,
      expected: isNormal || undefined,
      // The reason of a refusal is in its body; a normal step, such as a poll, has none to tell.
      detail: isNormal ? detail : detailOf(record),
    })
  }
}

/**
 * Records a request that is not valid HTTP, with the part of its first line that was read. Input that does not begin like a
 * request is left out, because no client of the Hub sent it.
 */
export function logMalformed(
  { requests, bus, clock }: LogDeps,
  id: string,
  { status, error, message, packet }: MalformedRequest,
): void {
  const line = /^([A-Z]+) (\S+)(?: .*)? HTTP\/1/.exec(packet.toString('latin1', 0, maxBodyBytes))
  if (line === null && error !== 'headers_too_large') return
  const [, method = unread, url = unread] = line ?? []
  const at = clock.now()
  const what = { method, status, durationMs: 0, error, detail: message }
  const none = { headers: {}, size: 0, truncated: false }
  requests.add({
    ...what,
    id,
    url: shortened(url, longestUrl),
    at,
    endedAt: at,
    receivedMs: performance.now(),
    request: none,
    response: none,
  })
  bus.emit('request.completed', {
    ...what,
    id,
    path: maskText(shortened(url, longestUrl)),
    clientId: undefined,
    userId: undefined,
    expected: undefined,
  })
}

/** Placeholder for an unknown method or path. */
const unread = '*'

function keepRequest(request: FastifyRequest): RequestRecord['request'] {
  const { standIn } = request
  const headers = keepHeaders(request)
  // The body is that of the call; the URL has all that the request would have had.
  if (standIn !== undefined) return { headers: {}, size: 0, truncated: false }
  const { noteBody } = request.routeOptions.config
  const body = noteBody === undefined ? request.body : noteBody(request.body)
  if (typeof body === 'string' || Buffer.isBuffer(body)) return keepText(headers, body)
  const size = Number(headers['content-length'] ?? Buffer.byteLength(request.bodyText ?? '')) || 0
  if (body === undefined || body === null) return { headers, size, truncated: size > 0 }
  // A parsed body is kept whole, or not at all.
  return size <= maxBodyBytes
    ? { headers, body, size, truncated: false }
    : { headers, size, truncated: true }
}

/** Shortens long values if the headers have more characters than the log keeps. */
function keepHeaders({ raw, headers }: FastifyRequest): IncomingHttpHeaders {
  if (headerBytes(raw) <= maxHeadersKept) return headers
  let room = maxHeadersKept
  const kept = Object.entries(headers).flatMap(([name, value = '']) => {
    const short = value.length > maxLongValue ? shortened(String(value), maxLongValue) : value
    room -= name.length + short.length
    return room < 0 ? [] : [[name, short] as const]
  })
  return Object.fromEntries(kept)
}

function keepResponse(
  payload: unknown,
  headers: OutgoingHttpHeaders,
  wasCut: boolean,
): RequestRecord['response'] {
  if (!wasCut && (typeof payload === 'string' || Buffer.isBuffer(payload))) {
    return keepText(headers, payload)
  }
  const size = Number(headers['content-length'] ?? 0)
  return { headers, size, truncated: wasCut || size > 0 }
}

function keepText<Headers>(headers: Headers, text: string | Buffer): RecordedMessage<Headers> {
  const size = Buffer.byteLength(text)
  if (size <= maxBodyBytes) return { headers, body: text, size, truncated: false }
  // A slice would keep the whole string in memory.
  const start = typeof text === 'string' ? text.slice(0, maxBodyBytes) : text
  const body = Buffer.from(start).subarray(0, maxBodyBytes).toString('utf8')
  return { headers, body, size, truncated: true }
}
