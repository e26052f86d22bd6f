import type { Retention } from '../delivery/retention.ts'

/** Keeps the attempts of a delivery apart: while one is under way, no other of its own course begins. */
export interface Turns {
  /** @returns whether its own course may go on now; if not, its turn is remembered */
  take(deliveryId: string): boolean
  /**
   * Does what an attempt is; the delivery stays in the log meanwhile.
   * @param onMissed told when it has ended, its effects too, and a turn of the delivery came meanwhile
   */
  during<T>(deliveryId: string, act: () => Promise<T>, onMissed: () => void): Promise<T>
  clear(): void
}

export function createTurns(retention: Pick<Retention, 'protect'>): Turns {
  const underWay = new Map<string, number>()
  const missed = new Set<string>()

  function leave(id: string): void {
    const others = (underWay.get(id) ?? 1) - 1
    if (others > 0) underWay.set(id, others)
    else underWay.delete(id)
  }

  return {
    take(id) {
      const isFree = !underWay.has(id)
      if (!isFree) missed.add(id)
      return isFree
    },
    async during(id, act, onMissed) {
      const unprotect = retention.protect(id)
      underWay.set(id, (underWay.get(id) ?? 0) + 1)
      try {
        return await act()
      } finally {
        unprotect()
        leave(id)
        if (!underWay.has(id) && missed.delete(id)) onMissed()
      }
    },
    clear() {
      underWay.clear()
      missed.clear()
    },
  }
}
