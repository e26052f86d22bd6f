import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'

const heads = new WeakSet<IncomingMessage>()

/** To be called before a request is routed: HEAD finds the route of GET. */
export function routeHeadAsGet(request: IncomingMessage): void {
  if (request.method !== 'HEAD') return
  heads.add(request)
  request.method = 'GET'
}

/**
 * Answers HEAD as GET without the body, which Node leaves out itself (RFC 9110 §9.3.2). Fastify would have a second route
 * beside each of GET: a third of all routes, and as much of the time that an app takes to build.
 */
export function registerHeadRequests(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    if (heads.has(raw)) raw.method = 'HEAD'
    done()
  })
  app.addHook('onSend', ({ method }, _reply, payload, done) => {
    if (method !== 'HEAD' || !(payload instanceof Readable)) return done(null, payload)
    // Nobody reads it, and it may have no end.
    payload.destroy()
    done(null, null)
  })
}
