import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { maskText } from '../core/mask.ts'
import type { ServerDeps } from '../core/server-deps.ts'
import type { RecordedMessage, RequestRecord } from '../events/request-log.ts'
import { attribute } from './attribution.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Real time; 0 for requests that are not recorded. */
    receivedAt: number
    /** Body of the answer as it is sent. */
    answerBody?: unknown
    /** Fault rule that changed the answer. */
    faultId?: string
    /** A request that was cut off may still run to its end, and must not be recorded twice. */
    isRecorded: boolean
  }
}

const maxBodyBytes = 16 * 1024

/**
 * Records every request that the emulated hub answered. The sandbox's own addresses are left out: the dashboard would
 * fill the log by looking at it.
 */
export function registerRequestLog(
  app: FastifyInstance,
  { requests, bus, clock }: Pick<ServerDeps, 'requests' | 'bus' | 'clock'>,
): void {
  app.decorateRequest('receivedAt', 0)
  app.decorateRequest('isRecorded', false)
  app.decorateRequest('answerBody', undefined)
  app.decorateRequest('faultId', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isSandboxPath(request.url)) request.receivedAt = performance.now()
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.answerBody = payload
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    record(request, reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders)
    done()
  })
  app.addHook('onRequestAbort', (request, done) => {
    record(request, 0, {})
    done()
  })

  function record(request: FastifyRequest, status: number, headers: OutgoingHttpHeaders): void {
    if (request.receivedAt === 0 || request.isRecorded) return
    request.isRecorded = true
    const durationMs = Math.round((performance.now() - request.receivedAt) * 100) / 100
    const { id, method, url, faultId, refusal } = request
    const { clientId, userId, grantType } = attribute(request)
    // Written out, every field every time: this runs for each request, and spreading costs several times as much.
    requests.add({
      id,
      at: clock.now(),
      method,
      url,
      status,
      durationMs,
      clientId,
      userId,
      grantType,
      error: refusal?.error,
      detail: refusal?.detail,
      faultId,
      request: keepRequest(request),
      response: keepAnswer(request.answerBody, headers, status === 0),
    })
    bus.emit('request.completed', {
      id,
      method,
      path: url.includes('?') ? maskText(url) : url,
      status,
      durationMs,
      clientId,
      userId,
      error: refusal?.error,
      detail: refusal?.detail,
    })
  }
}

/** The pictures of users count as well: every page of the dashboard shows some. */
function isSandboxPath(url: string): boolean {
  return url.startsWith('/_sandbox') || url.startsWith('/avatars/')
}

function keepRequest({ headers, body }: FastifyRequest): RequestRecord['request'] {
  const announced = Number(headers['content-length'] ?? Number.NaN)
  if (typeof body === 'string' || Buffer.isBuffer(body)) return keepText(headers, body)
  const size = Number.isNaN(announced) ? 0 : announced
  if (body === undefined || body === null) return { headers, size, truncated: size > 0 }
  // A parsed body is kept as it is, or not at all: its size in memory follows from the size on the wire.
  return announced <= maxBodyBytes
    ? { headers, body, size, truncated: false }
    : { headers, size, truncated: true }
}

function keepAnswer(
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
  // A slice would hold the whole of what it was cut from in memory.
  const start = typeof text === 'string' ? text.slice(0, maxBodyBytes) : text
  const body = Buffer.from(start).subarray(0, maxBodyBytes).toString('utf8')
  return { headers, body, size, truncated: true }
}
