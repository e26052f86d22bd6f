import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lfsMediaType } from '../../contract/hub-lfs.ts'
import { Refusal } from '../../core/refusal.ts'
import { pathOf } from '../../core/request-target.ts'
import { errorShapeOf } from '../addresses.ts'
import { basicChallenge } from './git-errors.ts'
import { foremostError } from './principal.ts'
import { dropFileHeaders, headerText, noteRefusal, statusOf, textOfFailure } from './refusals.ts'

/** Sends errors of the routes registered on this instance as {@link sendLfsError} does. */
export function registerLfsErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendLfsError)
}

/**
 * Sends an error in the shape of Git LFS, which its clients show to their users. git-lfs looks for a name and a password
 * that git knows, or asks its user, when the response asks for them.
 * @see https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md#response-errors
 */
export function sendLfsError(
  given: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = foremostError(request, given)
  const refusal = error instanceof Refusal ? error : undefined
  const status = error instanceof Refusal ? statusOf(error) : (error.statusCode ?? 500)
  const isFailure = status >= 500 && refusal === undefined
  if (isFailure) {
    request.log.error(error)
    dropFileHeaders(reply)
  }
  const message = isFailure ? textOfFailure(error) : error.message
  noteRefusal(request, refusal?.hubError ?? `http_${status}`, refusal?.detail ?? error.message)
  if (refusal?.hubError !== undefined) reply.header('x-error-code', refusal.hubError)
  if (status === 401) {
    reply.headers({ 'lfs-authenticate': basicChallenge, 'www-authenticate': basicChallenge })
  }
  return reply
    .code(status)
    .header('x-error-message', headerText(message))
    .type(lfsMediaType)
    .send(lfsErrorBody(reply, message))
}

/** Field that the body of a guard's refusal has at paths of Git LFS, besides its own. */
export function lfsRequestId(
  { url }: FastifyRequest,
  reply: FastifyReply,
): { request_id?: string } {
  if (errorShapeOf(pathOf(url)) !== 'lfs') return {}
  return { request_id: String(reply.getHeader('X-Request-Id')) }
}

/** JSON body of an error of Git LFS. */
export function lfsErrorBody(reply: FastifyReply, message: string): string {
  return JSON.stringify({ message, request_id: String(reply.getHeader('X-Request-Id')) })
}
