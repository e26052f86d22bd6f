import { clearTimeout, setTimeout } from './timers.ts'

/** How long a thing waits for the first who follows it, in real time. */
const leaseMs = 10_000

/**
 * Things that live as long as somebody follows them: what a killed program has left behind must not stay for ever.
 */
export interface Leases {
  /** Begins one: it ends unless somebody follows it soon. */
  begin(id: string): void
  /** @returns to be called when the follower has gone; with the last of them the thing ends */
  follow(id: string): () => void
  /** The thing is gone already. */
  forget(id: string): void
}

/** @param end called once for what nobody follows any more */
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
