import { pathOf } from '../../../core/request-target.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '../../../events/deps.ts'
import { describeNotEmulated, type NotEmulated } from '../../../hub/not-emulated.ts'
import { renderMissingPage } from '../../pages/hub.ts'
import { headerText, statusOfCode } from '../../plugins/refusals.ts'
import { sendPage, wantsPage } from '../../plugins/page-headers.ts'
import { pageSession } from './page-session.ts'

/**
 * Addresses without a route. What the hub has and the sandbox has not must not look like missing data; clients probe
 * `/oauth/` and `/.well-known/`, where a 5xx would read as a broken server. Browsers get a page that says the same.
 */
export function registerNotFound(app: FastifyInstance, deps: Deps): void {
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request.url)
    const notEmulated = describeNotEmulated(request.method, path)
    if (notEmulated !== undefined) addHeaders(reply, notEmulated)
    const { code, message } = notEmulated ?? {
      code: 'not_found' as const,
      message: `Nothing is at ${request.method} ${path}.`,
    }
    const status = statusOfCode(code)
    // At the address of a file there is never a document of ours, whoever asks.
    if (wantsPage(request) && notEmulated?.hubError === undefined) {
      const title = notEmulated === undefined ? 'Nothing is here' : 'Not emulated'
      const page = renderMissingPage({ title, message, session: pageSession(deps, request) })
      return sendPage(reply, status, page)
    }
    return notEmulated === undefined
      ? reply.code(status).send({ error: code, message })
      : sendRefusal(reply, notEmulated)
  })
}

function addHeaders(reply: FastifyReply, { message, hubError }: NotEmulated): void {
  reply.header('X-Error-Message', headerText(message))
  if (hubError !== undefined) reply.header('X-Error-Code', hubError)
}

function sendRefusal(reply: FastifyReply, { code, message, type }: NotEmulated): FastifyReply {
  reply.code(statusOfCode(code))
  if (type === 'text/plain') return reply.type(`${type}; charset=utf-8`).send(`${message}\n`)
  if (type !== undefined) return reply.type(type).send(JSON.stringify({ message }))
  return reply.send({ error: message })
}
