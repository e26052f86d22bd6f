import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerDeps } from '../core/server-deps.ts'

/**
 * Holds every answer until the changes made so far are in the journal: what a client was told is never lost,
 * whenever the process is killed. Answers that changed nothing do not wait, unless others' changes are on their way.
 * Where the disk refuses these, a request that only reads is answered all the same: health and lists show what is wrong.
 */
export function registerCommitBeforeAnswer(
  app: FastifyInstance,
  { committed }: Pick<ServerDeps, 'committed'>,
): void {
  app.addHook('onSend', (request, _reply, payload, done) => {
    const pending = committed()
    if (pending === undefined) return done(null, payload)
    // An async hook would cost a turn of the event loop for every answer.
    // oxlint-disable promise/no-callback-in-promise
    pending.then(
      () => done(null, payload),
      (error: Error) => (isRead(request) ? done(null, payload) : done(error)),
    )
  })
}

/** A GET of the OAuth provider can issue a code; no other one changes anything that is told. */
function isRead({ method, url }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && !url.startsWith('/oauth/')
}
