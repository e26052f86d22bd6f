import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../core/settings.ts'
import { rootAsAsked } from './host-guard.ts'

/** Tells where the next page of a list is. Clients follow absolute addresses alone. */
export function linkNextPage(
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
  settings: Settings,
  cursor: string,
): void {
  const next = new URL(url, rootAsAsked(settings, headers.host))
  next.searchParams.set('cursor', cursor)
  reply.header('link', `<${next.href}>; rel="next"`)
}
