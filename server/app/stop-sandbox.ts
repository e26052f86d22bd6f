import { clearTimeout, setTimeout } from '../core/timers.ts'
import type { Running } from '../core/service-list.ts'
import type { ServerEnd } from '../lab/sandbox-services.ts'

/** Time that a stop gives running work. */
const graceMs = 5000

export interface Stopper {
  readonly begun: boolean
  /** Finishes running work, saves and closes; a second call ends running work. */
  close(): Promise<void>
}

/** @param save saves and closes the state; called after all services have stopped */
export function createStopper(
  services: Pick<Running<object, never>, 'stop' | 'hurry'>,
  server: ServerEnd,
  save: () => Promise<void>,
): Stopper {
  let stopping: Promise<void> | undefined

  async function stop(): Promise<void> {
    const grace = setTimeout(() => server.destroy(), graceMs)
    try {
      await services.stop(graceMs)
    } finally {
      clearTimeout(grace)
      await save()
    }
  }
  return {
    get begun() {
      return stopping !== undefined
    },
    close(): Promise<void> {
      if (stopping !== undefined) services.hurry()
      return (stopping ??= stop())
    },
  }
}
