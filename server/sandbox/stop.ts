import type { SandboxApp } from '../http/front-door.ts'
import type { ServerDeps } from '../http/server-deps.ts'
import type { Listeners } from './listen.ts'
import type { ObjectStores } from '../objects/object-store.ts'
import type { definitions } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'

/** Time that a stop gives running work. */
const graceMs = 5000

export interface Stopper {
  readonly begun: boolean
  /** Finishes running work, saves and closes; a second call ends running work. */
  close(): Promise<void>
}

export function createStopper(parts: {
  deps: ServerDeps
  app: SandboxApp
  listeners: Listeners
  store: Store<typeof definitions>
  objects: ObjectStores
}): Stopper {
  const { deps, app, listeners, store, objects } = parts
  let stopping: Promise<void> | undefined

  async function stop(): Promise<void> {
    const grace = setTimeout(() => listeners.destroy(), graceMs)
    // While the control API still responds.
    const segmentRead = deps.segments.close()
    if (segmentRead !== undefined) await segmentRead
    deps.runAdvice.close()
    deps.barriers.clear()
    deps.closing()
    const audited = deps.audits.clear()
    const forksClosed = deps.forks.close()
    // From here on Fastify responds with 503, and the listeners refuse connections.
    const closed = Promise.all([app.close(), listeners.close()])
    try {
      // What an audit has changed is restored before the state is saved.
      await Promise.race([
        audited,
        new Promise((over) => deps.realTime.after(graceMs, () => over(undefined))),
      ])
      await deps.engine.close(graceMs)
      deps.scheduledJobs.clear()
      await deps.jobs.close()
      await deps.links.close()
      await deps.frames.clear()
      await forksClosed
      await closed
    } finally {
      clearTimeout(grace)
      deps.lfs.clear()
      deps.clock.close()
      await deps.git.close()
      await store.close()
      await objects.close()
    }
  }
  return {
    get begun() {
      return stopping !== undefined
    },
    close(): Promise<void> {
      if (stopping !== undefined) {
        listeners.destroy()
        void deps.engine.close(0)
        void deps.forks.close()
      }
      return (stopping ??= stop())
    },
  }
}
