import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lfsMediaType } from '../../contract/hub-lfs.ts'
import type { Refusal } from '../../core/refusal.ts'
import { basicChallenge, prepareError } from './git-errors.ts'
import { lfsErrorBody } from '../../web/plugins/lfs-error-body.ts'

/** Sends errors of the routes registered on this instance as {@link sendLfsError} does. */
export function registerLfsErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendLfsError)
}

/**
 * Sends an error in the shape of Git LFS, which its clients show to their users.
 * @see https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md#response-errors
 */
export function sendLfsError(
  given: FastifyError | Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, message } = prepareError(given, request, reply)
  if (status === 401) reply.header('lfs-authenticate', basicChallenge)
  return reply.type(lfsMediaType).send(lfsErrorBody(reply, message))
}
