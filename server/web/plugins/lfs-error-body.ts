import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from '../../core/request-target.ts'
import { errorShapeOf } from '../app-of-url.ts'

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
