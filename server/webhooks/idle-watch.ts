// How long a caller is willing to wait is real time.
import { clearTimeout, setTimeout } from 'node:timers'

/** Answers those who wait for quiet. */
export interface IdleWatch {
  /**
   * @param isIdle the quiet this caller waits for
   * @returns whether it came within the time
   */
  wait(isIdle: () => boolean, timeoutMs: number): Promise<boolean>
  /** To be called whenever it may have become quiet. */
  look(): void
  /** Nobody needs to wait any longer. */
  giveUp(): void
}

export function createIdleWatch(): IdleWatch {
  const waiting = new Set<{ isIdle: () => boolean; resolve: (idle: boolean) => void }>()
  return {
    wait(isIdle, timeoutMs) {
      if (isIdle()) return Promise.resolve(true)
      return new Promise((resolve) => {
        const waiter = {
          isIdle,
          resolve(idle: boolean) {
            clearTimeout(timer)
            waiting.delete(waiter)
            resolve(idle)
          },
        }
        const timer = setTimeout(() => waiter.resolve(false), timeoutMs)
        waiting.add(waiter)
      })
    },
    look() {
      for (const waiter of waiting) if (waiter.isIdle()) waiter.resolve(true)
    },
    giveUp() {
      for (const waiter of waiting) waiter.resolve(false)
    },
  }
}
