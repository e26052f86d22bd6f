import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerDeps } from '../server-deps.ts'

/**
 * Holds every answer until the changes made so far are in the journal: a result that a client received is never lost,
 * whenever the process is killed. Answers that changed nothing do not wait, unless others' changes are on their way.
 * Where the disk refuses these, a request that only reads is answered all the same: health and lists show what is wrong.
 * Refusals are, too: they promise nothing that could be lost, and the one that tells of the disk comes by here itself.
 */
export function registerCommitBeforeAnswer(
  app: FastifyInstance,
  { committed }: Pick<ServerDeps, 'committed'>,
): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const pending = committed()
    if (pending === undefined) return done(null, payload)
    // An async hook would cost a turn of the event loop for every answer.
    // oxlint-disable promise/no-callback-in-promise
    pending.then(
      () => done(null, payload),
      (error: Error) => {
        if (isRead(request) || isRefused(request, reply)) return done(null, payload)
        // The error handler of the route answers in place of this, which must not say that it worked.
        reply.removeHeader('location').removeHeader('set-cookie')
        done(error)
      },
    )
  })
}

/** Some refusals of the OAuth provider are redirects. */
function isRefused({ refusal }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode >= 400 || refusal?.error !== undefined
}

/** A GET of the OAuth provider can issue a code; no other GET changes anything that a client can see. */
function isRead({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !url.startsWith('/oauth/')
}
