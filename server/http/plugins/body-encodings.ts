import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route unpacks what it is sent, and says itself what it knows. */
    unpacksBody?: true
  }
}

/** Told by each group of routes as what Fastify itself refuses, after who is not signed in. */
class UnknownEncodingError extends Error {
  readonly statusCode = 415

  constructor(encoding: string) {
    super(
      `Unsupported content encoding ${encoding}: send the body unencoded, without Content-Encoding`,
    )
    this.name = 'UnknownEncodingError'
  }
}

const withBodies = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Refuses bodies that are packed (RFC 9110 §8.4): no code here would unpack them, and what is hashed or kept would be
 * something else than was meant. To be registered before the routes.
 */
export function registerBodyEncodings(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.unpacksBody === true || ![route.method].flat().some(takesBody)) return
    route.preParsing = [refuseEncoded, ...[route.preParsing ?? []].flat()]
  })
}

function takesBody(method: string): boolean {
  return withBodies.has(method)
}

function refuseEncoded(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  _body: unknown,
  done: (error?: Error) => void,
): void {
  const given = headers['content-encoding']
  if (given === undefined || !hasBody(headers) || given.split(',').every(isPlain)) return done()
  reply.header('accept-encoding', 'identity')
  done(new UnknownEncodingError(given))
}

function hasBody(headers: FastifyRequest['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function isPlain(encoding: string): boolean {
  return ['', 'identity'].includes(encoding.trim().toLowerCase())
}
