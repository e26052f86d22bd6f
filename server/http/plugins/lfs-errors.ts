import type { FastifyError, FastifyInstance } from 'fastify'
import { lfsMediaType } from '../../contract/hub-lfs.ts'
import { Refusal } from '../../core/refusal.ts'
import { basicChallenge } from './git-errors.ts'
import { foremostError } from './principal.ts'
import { headerText, noteRefusal, statusOf, textOfFailure } from './refusals.ts'

/**
 * Error shape of Git LFS, which its clients show to their users. Asked to sign in, git-lfs looks for a name and a
 * password that git knows, or asks its user.
 * @see https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md#response-errors
 */
export function registerLfsErrors(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError | Refusal>((given, request, reply) => {
    const error = foremostError(request, given)
    const refusal = error instanceof Refusal ? error : undefined
    const status = error instanceof Refusal ? statusOf(error) : (error.statusCode ?? 500)
    const isFailure = status >= 500 && refusal === undefined
    if (isFailure) request.log.error(error)
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
      .send(JSON.stringify({ message, request_id: String(reply.getHeader('X-Request-Id')) }))
  })
}
