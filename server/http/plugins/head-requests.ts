import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

/** A set of them, weak or not, would cost the collector more than all else that is done here. */
const wasHead = Symbol('HEAD')

interface Marked extends IncomingMessage {
  [wasHead]?: true
}

/** To be called before a request is routed: HEAD finds the route of GET. */
export function routeHeadAsGet(request: Marked): void {
  if (request.method !== 'HEAD') return
  request[wasHead] = true
  request.method = 'GET'
}

/**
 * Answers HEAD as GET without the body, which Node leaves out itself (RFC 9110 §9.3.2). Fastify would have a second route
 * beside each of GET: a third of all routes, and as much of the time that an app takes to build.
 */
export function registerHeadRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const raw: Marked = request.raw
    if (raw[wasHead] === true) raw.method = 'HEAD'
    done()
  })
  app.addHook('onSend', ({ method }, _reply, payload, done) => {
    if (method !== 'HEAD' || !(payload instanceof Readable)) return done(null, payload)
    // No client reads the body, and it may have no end.
    payload.destroy()
    done(null, null)
  })
}
