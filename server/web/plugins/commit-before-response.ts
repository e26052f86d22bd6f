import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/**
 * Delays each response until all changes so far are in the journal, so that no result that a client received is lost if
 * the process is killed. A request that changed nothing waits only while changes of others are being written.
 * If the disk fails, requests that only read still get their response, so that health and lists show the cause. Refusals
 * are sent, too: they promise nothing, and the refusal that reports the disk passes this hook itself.
 */
export function registerCommitBeforeResponse(
  app: FastifyInstance,
  { committed }: { committed: () => Promise<void> | undefined },
): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const pending = committed()
    if (pending === undefined) return done(null, payload)
    // An async hook would cost a turn of the event loop for every response.
    // oxlint-disable promise/no-callback-in-promise
    pending.then(
      () => done(null, payload),
      (error: Error) => {
        if (isRead(request) || isRefused(request, reply)) return done(null, payload)
        // The error handler of the route sends a refusal instead of this response, which would report success.
        reply.removeHeader('location').removeHeader('set-cookie')
        done(error)
      },
    )
  })
}

/** Checks for a refusal; the OAuth provider sends some as redirects. */
function isRefused({ refusal }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode >= 400 || refusal?.error !== undefined
}

/** A GET of the OAuth provider can issue a code; no other GET changes anything that a client can see. */
function isRead({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !url.startsWith('/oauth/')
}
