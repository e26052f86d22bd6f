import type { FastifyInstance } from 'fastify'
import type { ServerDeps } from '../core/server-deps.ts'

/**
 * Holds every answer until the changes made so far are in the journal: what a client was told is never lost,
 * whenever the process is killed. Answers that changed nothing do not wait, unless others' changes are on their way.
 */
export function registerCommitBeforeAnswer(
  app: FastifyInstance,
  { committed }: Pick<ServerDeps, 'committed'>,
): void {
  app.addHook('onSend', (_request, _reply, payload, done) => {
    const pending = committed()
    if (pending === undefined) return done(null, payload)
    // An async hook would cost a turn of the event loop for every answer.
    // oxlint-disable promise/no-callback-in-promise
    pending.then(
      () => done(null, payload),
      (error: Error) => done(error),
    )
  })
}
