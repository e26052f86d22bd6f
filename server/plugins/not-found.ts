import type { FastifyInstance } from 'fastify'
import { headerText } from './oauth-errors.ts'

/**
 * Addresses without a route. What the hub has and the sandbox has not must not look like missing data, hence 501
 * under `/api/`; clients probe `/oauth/` and `/.well-known/`, where a 5xx would read as a broken server.
 */
export function registerNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (path === '/api' || path.startsWith('/api/')) {
      const error = `${request.method} ${path} is not emulated by this sandbox. /_sandbox/openapi.json lists what is.`
      return reply.code(501).header('X-Error-Message', headerText(error)).send({ error })
    }
    return reply
      .code(404)
      .send({ error: 'not_found', message: `Nothing is at ${request.method} ${path}.` })
  })
}
