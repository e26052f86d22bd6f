import type { FastifyError, FastifyInstance } from 'fastify'
import { HubError } from '../../hub/hub-error.ts'
import { OAuthError } from '../../oauth/errors.ts'
import { headerText, noteRefusal, sendOAuthError, textOfFailure } from './oauth-errors.ts'

/** Error shape of the hub's API: `{"error": text}` and the same text in `X-Error-Message`. */
export function registerHubErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | HubError | OAuthError>((error, request, reply) => {
    if (error instanceof OAuthError) {
      noteRefusal(request, error.code, error.detail ?? error.message)
      // The hub's API has one word for text, and its clients compare it.
      if (error.code === 'invalid_token') {
        return reply
          .code(401)
          .header('WWW-Authenticate', 'Bearer realm="hub-sandbox", error="invalid_token"')
          .header('X-Error-Message', error.message)
          .send({ error: error.message })
      }
      return sendOAuthError(reply, error)
    }
    if (error instanceof HubError) {
      const { code, scope, detail, body } = error.options
      noteRefusal(request, code ?? `http_${error.status}`, detail ?? error.message)
      if (code !== undefined) reply.header('X-Error-Code', code)
      if (scope !== undefined) {
        reply.header(
          'WWW-Authenticate',
          `Bearer realm="hub-sandbox", error="insufficient_scope", scope="${scope}"`,
        )
      }
      return reply
        .code(error.status)
        .header('X-Error-Message', headerText(error.message))
        .send({ error: error.message, ...body })
    }
    const status = error.statusCode ?? 500
    if (status >= 500) request.log.error(error)
    const message = status >= 500 ? textOfFailure(error) : error.message
    noteRefusal(request, error.code ?? `http_${status}`, error.message)
    return reply
      .code(status)
      .header('X-Error-Message', headerText(message))
      .send({ error: message })
  })
}
