import type { FastifyReply, FastifyRequest } from 'fastify'

/** Links the next page of a list. Clients follow absolute URLs only. */
export function linkNextPage(
  { url, root }: FastifyRequest,
  reply: FastifyReply,
  cursor: string,
): void {
  const next = new URL(url, root)
  next.searchParams.set('cursor', cursor)
  reply.header('link', `<${next.href}>; rel="next"`)
}
