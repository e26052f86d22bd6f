import type { FastifyInstance, FastifyReply } from 'fastify'
import { describeNotEmulated, type NotEmulated } from '../hub/not-emulated.ts'
import { headerText } from './oauth-errors.ts'

/**
 * Addresses without a route. What the hub has and the sandbox has not must not look like missing data; clients probe
 * `/oauth/` and `/.well-known/`, where a 5xx would read as a broken server.
 */
export function registerNotFound(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const notEmulated = describeNotEmulated(request.method, path)
    if (notEmulated !== undefined) return refuse(reply, notEmulated)
    return reply
      .code(404)
      .send({ error: 'not_found', message: `Nothing is at ${request.method} ${path}.` })
  })
}

function refuse(reply: FastifyReply, { status, message, code, type }: NotEmulated): FastifyReply {
  reply.code(status).header('X-Error-Message', headerText(message))
  if (code !== undefined) reply.header('X-Error-Code', code)
  if (type === 'text/plain') return reply.type(`${type}; charset=utf-8`).send(`${message}\n`)
  if (type !== undefined) return reply.type(type).send(JSON.stringify({ message }))
  return reply.send({ error: message })
}
