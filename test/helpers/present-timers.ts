import type * as timers from '../../server/core/timers.ts'

type Timers = typeof timers

/**
 * In place of `server/core/timers.ts`, which keeps to the timers of Node, those that are there when one is called, so
 * that a test can let time pass: for a file that begins with `vi.mock('…/server/core/timers.ts', …)`. The files of a
 * worker share what they load, so it has to load anew what takes them: `vi.hoisted(() => vi.resetModules())`.
 */
export function presentTimers(ofNode: Timers): Timers {
  return {
    ...ofNode,
    get setTimeout() {
      return globalThis.setTimeout
    },
    get clearTimeout() {
      return globalThis.clearTimeout
    },
  }
}
