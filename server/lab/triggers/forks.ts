import { createLeases } from '../../core/leases.ts'
import { Refusal } from '../../core/refusal.ts'

/** A sandbox that was made from the state of another, in the same process. */
export interface Fork {
  readonly id: string
  /** Issuer, and root of every address. */
  readonly url: string
  readonly dashboardUrl: string
  readonly controlToken?: string
  /** Whether it ends with those who follow it. */
  readonly temporary: boolean
}

/** What a fork is to whoever ends it. */
export interface RunningFork extends Pick<Fork, 'url' | 'dashboardUrl' | 'controlToken'> {
  close(): Promise<void>
}

/** The forks of a sandbox that others asked it to make; they end with it. */
export interface Forks {
  /** Says how one is made; none can be before. */
  makeBy(make: () => Promise<RunningFork>): void
  /** @throws {Refusal} `overloaded` when there are too many, `shutting_down` when the sandbox stops */
  create(options?: { temporary?: boolean }): Promise<Fork>
  list(): Fork[]
  get(id: string): Fork | undefined
  /**
   * Keeps a temporary one alive.
   * @param ended told once when it is gone
   * @returns to be called when the follower has gone
   */
  follow(id: string, ended: () => void): () => void
  /** @returns whether there was one of this id */
  remove(id: string): Promise<boolean>
  /** Ends all of them, and makes no more; called again, it ends them now. */
  close(): Promise<void>
}

interface Kept {
  fork: Fork
  running: RunningFork
  followers: Set<() => void>
}

/** @param most setting `caps.forks` */
export function createForks(most: number): Forks {
  const forks = new Map<string, Kept>()
  /** Those that end are not listed any more, and still held on to until they have. */
  const ending = new Map<RunningFork, Promise<void>>()
  const leases = createLeases((id) => void remove(id))
  let make: (() => Promise<RunningFork>) | undefined
  let made = 0
  let making = 0
  let isClosed = false

  function end(running: RunningFork): Promise<void> {
    const ended = running.close().finally(() => ending.delete(running))
    ending.set(running, ended)
    return ended
  }
  async function remove(id: string): Promise<boolean> {
    const kept = forks.get(id)
    if (kept === undefined) return false
    forks.delete(id)
    leases.forget(id)
    for (const told of kept.followers) told()
    await end(kept.running)
    return true
  }
  async function makeOne(): Promise<RunningFork> {
    if (make === undefined || isClosed) throw stopping()
    if (forks.size + making >= most) {
      throw new Refusal(
        'overloaded',
        `There are ${most} forks: close one with DELETE /_sandbox/api/forks/ID, or raise config.caps.forks.`,
      )
    }
    making += 1
    try {
      return await make()
    } finally {
      making -= 1
    }
  }

  return {
    makeBy(how) {
      make = how
    },
    async create({ temporary = false } = {}) {
      const running = await makeOne()
      if (isClosed) {
        await end(running)
        throw stopping()
      }
      const { url, dashboardUrl, controlToken } = running
      made += 1
      const fork: Fork = {
        id: `fork-${made}`,
        url,
        dashboardUrl,
        ...(controlToken === undefined ? {} : { controlToken }),
        temporary,
      }
      forks.set(fork.id, { fork, running, followers: new Set() })
      if (temporary) leases.begin(fork.id)
      return fork
    },
    list: () => [...forks.values()].map(({ fork }) => fork),
    get: (id) => forks.get(id)?.fork,
    follow(id, ended) {
      const followers = forks.get(id)?.followers
      followers?.add(ended)
      const stop = leases.follow(id)
      return () => {
        followers?.delete(ended)
        stop()
      }
    },
    remove,
    async close() {
      isClosed = true
      for (const running of ending.keys()) void running.close()
      await Promise.all([...[...forks.keys()].map(remove), ...ending.values()])
    },
  }
}

function stopping(): Refusal {
  return new Refusal('shutting_down', 'The sandbox stops: it makes no forks any more.')
}
