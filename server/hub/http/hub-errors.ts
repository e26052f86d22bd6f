import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOAuthCode, Refusal } from '../../core/refusal.ts'
import { sendOAuthError } from './oauth-error-bodies.ts'
import { foremostError } from './principal-of-request.ts'
import {
  bearerChallenge,
  dropFileHeaders,
  errorDescription,
  headerText,
  noteRefusal,
  statusOf,
  textOfFailure,
} from '../../web/plugins/refusals.ts'

/** Sends errors of the routes registered on this instance as {@link sendHubError} does. */
export function registerHubErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendHubError)
}

/** Sends an error as the hub's API does: `{"error": text}` and the same text in `X-Error-Message`. */
export function sendHubError(
  given: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = foremostError(request, given)
  if (error instanceof Refusal) return sendHubRefusal(request, reply, error)
  const status = error.statusCode ?? 500
  if (status >= 500) {
    request.log.error(error)
    dropFileHeaders(reply)
  }
  const message = status >= 500 ? textOfFailure(error) : error.message
  noteRefusal(request, error.code ?? `http_${status}`, error.message)
  return reply.code(status).header('x-error-message', headerText(message)).send({ error: message })
}

function sendHubRefusal(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Refusal,
): FastifyReply {
  const { code, message, detail, issues, hubError, scope, facts } = refusal
  const status = statusOf(refusal)
  if (isOAuthCode(code)) {
    noteRefusal(request, code, detail ?? message)
    // Clients compare the text of the Hub's API.
    if (code !== 'invalid_token') return sendOAuthError(reply, refusal)
    return reply
      .code(status)
      .header('www-authenticate', `${bearerChallenge}, error="invalid_token"`)
      .header('x-error-message', message)
      .send({ error: message })
  }
  // The Hub has another validator, so the sandbox reports invalid input in its own words.
  const isShape = code === 'invalid_shape'
  noteRefusal(
    request,
    hubError ?? (isShape ? 'invalid_request' : `http_${status}`),
    detail ?? message,
  )
  if (hubError !== undefined) reply.header('x-error-code', hubError)
  if (scope !== undefined) {
    reply.header(
      'www-authenticate',
      `${bearerChallenge}, error="insufficient_scope", scope="${scope}", ${errorDescription(message)}`,
    )
  } else if (status === 401) reply.header('www-authenticate', bearerChallenge)
  return reply
    .code(status)
    .header('x-error-message', headerText(message))
    .send({ error: message, ...(issues.length === 0 || isShape ? {} : { issues }), ...facts })
}
