import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isOAuthCode, Refusal } from '../../core/refusal.ts'
import { foremostError } from './principal-of-request.ts'
import {
  dropFileHeaders,
  headerText,
  noteRefusal,
  statusOf,
  textOfFailure,
} from '../../web/plugins/refusals.ts'

/** Challenge for programs that authenticate with a name and a password. */
export const basicChallenge = 'Basic realm="Authentication required", charset="UTF-8"'

/** Sends errors of the routes registered on this instance as {@link sendGitError} does. */
export function registerGitErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendGitError)
}

/** Sends an error of git over HTTP as text, which git shows to its user. */
export function sendGitError(
  given: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { message } = prepareError(given, request, reply)
  return reply.type('text/plain; charset=utf-8').send(`${message}\n`)
}

/**
 * Logs an error of git or Git LFS and sets the status and headers of its response. After a challenge both programs take a
 * name and a password from git's credential helpers, or ask the user.
 */
export function prepareError(
  given: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): { status: number; message: string } {
  const error = foremostError(request, given)
  const refusal = error instanceof Refusal ? error : undefined
  const status = error instanceof Refusal ? statusOf(error) : (error.statusCode ?? 500)
  const isFailure = status >= 500 && refusal === undefined
  if (isFailure) {
    request.log.error(error)
    dropFileHeaders(reply)
  }
  const message = isFailure ? textOfFailure(error) : error.message
  const name =
    refusal?.hubError ??
    (refusal !== undefined && isOAuthCode(refusal.code) ? refusal.code : `http_${status}`)
  noteRefusal(request, name, refusal?.detail ?? error.message)
  if (refusal?.hubError !== undefined) reply.header('x-error-code', refusal.hubError)
  if (status === 401) reply.header('www-authenticate', basicChallenge)
  reply.code(status).header('x-error-message', headerText(message))
  return { status, message }
}
