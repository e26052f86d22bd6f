import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route decompresses its body, and refuses unknown encodings itself. */
    unpacksBody?: true
  }
}

/** Refusal that each group of routes sends in its own shape, after the check of the caller. */
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
 * Refuses compressed bodies (RFC 9110 §8.4): nothing decompresses them, so a hash or a stored file would be wrong. Register it
 * before the routes.
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
