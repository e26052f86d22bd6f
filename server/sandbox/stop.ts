import type { SandboxApp } from '../http/front-door.ts'
import type { ServerDeps } from '../http/server-deps.ts'
import type { Listeners } from './listen.ts'
import type { ObjectStores } from '../objects/object-store.ts'
import type { definitions } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { clearTimeout, setTimeout } from '../core/timers.ts'

/** How long a stop waits for what is in flight. */
const graceMs = 5000

export interface Stopper {
  readonly begun: boolean
  /** Finishes what is in flight, saves and lets go of everything; called again, it ends what is in flight. */
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
    deps.barriers.clear()
    deps.closing()
    const forksClosed = deps.forks.close()
    // Fastify answers 503 from here on, and the listeners take no more connections.
    const closed = Promise.all([app.close(), listeners.close()])
    try {
      await deps.engine.close(graceMs)
      await deps.jobs.close()
      await deps.links.close()
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
