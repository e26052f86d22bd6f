import { STATUS_CODES } from 'node:http'
import type { FastifyReply } from 'fastify'

/**
 * Redirects as the hub does, with a text that names the target.
 * @param location relative if clients must keep their token, which they send to no other host
 */
export function sendRedirect(
  reply: FastifyReply,
  status: 302 | 303 | 307,
  location: string,
): FastifyReply {
  return reply
    .code(status)
    .header('location', location)
    .type('text/plain; charset=utf-8')
    .send(`${STATUS_CODES[status]}. Redirecting to ${location}`)
}
