import type { RealTime } from '../../core/real-time.ts'

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

/** @param realTime how long a caller is willing to wait is of its world */
export function createIdleWatch(realTime: Pick<RealTime, 'after'>): IdleWatch {
  const waiting = new Set<{ isIdle: () => boolean; resolve: (idle: boolean) => void }>()
  return {
    wait(isIdle, timeoutMs) {
      if (isIdle()) return Promise.resolve(true)
      return new Promise((resolve) => {
        const waiter = {
          isIdle,
          resolve(idle: boolean) {
            stopWaiting()
            waiting.delete(waiter)
            resolve(idle)
          },
        }
        const stopWaiting = realTime.after(timeoutMs, () => waiter.resolve(false))
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
