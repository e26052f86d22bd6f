import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { lfsMediaType } from '../../contract/hub-lfs.ts'
import type { Refusal } from '../../core/refusal.ts'
import { pathOf } from '../../core/request-target.ts'
import { errorShapeOf } from '../addresses.ts'
import { basicChallenge, prepareError } from './git-errors.ts'

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

/** Further member of the body of a guard's refusal at paths of Git LFS. */
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
