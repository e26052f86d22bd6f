import { clearTimeout, setTimeout } from './timers.ts'

/** Real time that an item waits for its first follower. */
const leaseMs = 10_000

/** Items that live while they have a follower, so that nothing outlives a killed program. */
export interface Leases {
  /** Starts an item, which ends unless it gets a follower soon. */
  begin(id: string): void
  /** @returns function to call when the follower disconnects; the item ends with its last follower */
  follow(id: string): () => void
  /** Removes an item that has already ended. */
  forget(id: string): void
}

/** @param end called once for an item without followers */
export function createLeases(end: (id: string) => void): Leases {
  const leases = new Map<string, { followers: number; timer?: NodeJS.Timeout }>()

  function forget(id: string): void {
    clearTimeout(leases.get(id)?.timer)
    leases.delete(id)
  }
  function expire(id: string): void {
    forget(id)
    end(id)
  }
  return {
    begin(id) {
      leases.set(id, { followers: 0, timer: setTimeout(expire, leaseMs, id).unref() })
    },
    follow(id) {
      const lease = leases.get(id)
      if (lease === undefined) return () => {}
      clearTimeout(lease.timer)
      lease.followers += 1
      return () => {
        lease.followers -= 1
        if (lease.followers === 0 && leases.get(id) === lease) expire(id)
      }
    },
    forget,
  }
}
