import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOAuthCode, Refusal } from '../../core/refusal.ts'
import { foremostError } from './principal.ts'
import { headerText, noteRefusal, statusOf, textOfFailure } from './refusals.ts'

/** How programs are asked to sign in that know names and passwords. */
export const basicChallenge = 'Basic realm="Authentication required", charset="UTF-8"'

/** Sends errors of the routes registered on this instance as {@link sendGitError} does. */
export function registerGitErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendGitError)
}

/**
 * Sends an error of git over HTTP as text, which git shows to its user. Git looks for a name and a password that it
 * knows, or asks its user, when the response asks for them.
 */
export function sendGitError(
  given: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = foremostError(request, given)
  const refusal = error instanceof Refusal ? error : undefined
  const status =
    refusal === undefined ? ((error as FastifyError).statusCode ?? 500) : statusOf(refusal)
  if (status >= 500 && refusal === undefined) request.log.error(error)
  const message = status >= 500 && refusal === undefined ? textOfFailure(error) : error.message
  const name =
    refusal?.hubError ??
    (refusal !== undefined && isOAuthCode(refusal.code) ? refusal.code : `http_${status}`)
  noteRefusal(request, name, refusal?.detail ?? error.message)
  if (refusal?.hubError !== undefined) reply.header('x-error-code', refusal.hubError)
  if (status === 401) reply.header('www-authenticate', basicChallenge)
  return reply
    .code(status)
    .header('x-error-message', headerText(message))
    .type('text/plain; charset=utf-8')
    .send(`${message}\n`)
}
