import { Refusal } from '../../core/refusal.ts'
import type { Fork, Forks } from './forks.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { ServerDeps } from '../server-deps.ts'
import { createLineStreams } from '../../web/line-streams.ts'

export const forkRoutes: ControlRoutes<ServerDeps> = async (app, { deps: { forks } }) => {
  const answerLines = createLineStreams(app)

  control(app, 'GET forks', async () => ({ items: forks.list() }))
  control(app, 'POST forks', async ({ body }) => forks.create(body))
  control(app, 'GET forks/:id', async ({ params: { id }, query }, reply) => {
    const fork = forks.get(id)
    if (fork === undefined) throw unknownFork(id)
    if (query.follow === undefined) return fork
    return answerLines(reply, (hungUp) => followFork(forks, fork, hungUp))
  })
  control(app, 'DELETE forks/:id', async ({ params: { id } }) => {
    if (!(await forks.remove(id))) throw unknownFork(id)
    return {}
  })
}

/** Sends one line and keeps the stream open, so that each side notices when the other leaves. */
async function* followFork(forks: Forks, fork: Fork, hungUp: AbortSignal): AsyncGenerator<string> {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  hungUp.addEventListener('abort', end)
  const stop = forks.follow(fork.id, end)
  try {
    yield `${JSON.stringify(fork)}\n`
    if (!hungUp.aborted) await ended
  } finally {
    stop()
  }
}

function unknownFork(id: string): Refusal {
  return new Refusal('not_found', `There is no fork ${id}.`)
}
