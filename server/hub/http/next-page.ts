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

/** Sends one page of a list that is in memory as a whole, and links the next page. */
export function sendListPage<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  items: readonly T[],
  describe: (item: T) => unknown,
  usual = 100,
): FastifyReply {
  const { limit = usual, cursor = '0' } = request.query as { limit?: number; cursor?: string }
  const start = /^\d+$/.test(cursor) ? Number(cursor) : 0
  const end = start + limit
  if (end < items.length) linkNextPage(request, reply, String(end))
  return reply.send(items.slice(start, end).map(describe))
}
