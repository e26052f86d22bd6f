import { createLeases } from '../../core/leases.ts'
import { Refusal } from '../../core/refusal.ts'
import { createTurns } from '../../core/turns.ts'

/** Sandbox created from the state of another one, in the same process. */
export interface Fork {
  readonly id: string
  /** Issuer, and root of every URL. */
  readonly url: string
  readonly dashboardUrl: string
  readonly controlToken?: string
  /** Whether it ends when its last follower leaves. */
  readonly temporary: boolean
}

/** Running sandbox of a fork. */
export interface RunningFork extends Pick<Fork, 'url' | 'dashboardUrl' | 'controlToken'> {
  close(): Promise<void>
}

/** Forks of a sandbox, created by the control API; they end with it. */
export interface Forks {
  /** Sets how forks are created; to be called before `create`. */
  makeBy(make: () => Promise<RunningFork>): void
  /** @throws {Refusal} `overloaded` at the limit of forks, `shutting_down` when the sandbox stops */
  create(options?: { temporary?: boolean }): Promise<Fork>
  list(): Fork[]
  get(id: string): Fork | undefined
  /**
   * Keeps a temporary fork alive.
   * @param ended called once when it has ended
   * @returns a function for the follower to leave
   */
  follow(id: string, ended: () => void): () => void
  /** @returns whether the fork existed */
  remove(id: string): Promise<boolean>
  /** Ends all forks and creates no more; a second call ends them at once. */
  close(): Promise<void>
}

interface Kept {
  fork: Fork
  running: RunningFork
  followers: Set<() => void>
}

/** Running forks of a sandbox, of its forks and so on, which count together: otherwise a fork could have as many again. */
export interface ForkPlaces {
  taken: number
}

/** @param most setting `caps.forks` */
export function createForks(most: number, places: ForkPlaces = { taken: 0 }): Forks {
  const forks = new Map<string, Kept>()
  /** Forks that are ending: no longer listed, but `close` waits for them. */
  const ending = new Map<RunningFork, Promise<void>>()
  const leases = createLeases((id) => void remove(id))
  let make: (() => Promise<RunningFork>) | undefined
  let made = 0
  let isClosed = false
  /** Forks are made one after another, since each takes the state in one piece. */
  const inTurn = createTurns()

  function end(running: RunningFork): Promise<void> {
    const ended = running.close().finally(() => {
      ending.delete(running)
      places.taken -= 1
    })
    ending.set(running, ended)
    return ended
  }
  async function remove(id: string): Promise<boolean> {
    const kept = forks.get(id)
    if (kept === undefined) return false
    forks.delete(id)
    leases.forget(id)
    for (const follow of kept.followers) follow()
    await end(kept.running)
    return true
  }
  async function makeOne(): Promise<RunningFork> {
    if (make === undefined || isClosed) throw stopping()
    if (places.taken >= most) {
      throw new Refusal(
        'overloaded',
        `The limit of ${most} forks is reached: close one with DELETE /_sandbox/api/forks/ID, or raise config.caps.forks.`,
      )
    }
    places.taken += 1
    try {
      return await inTurn(make)
    } catch (error) {
      places.taken -= 1
      throw error
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
  return new Refusal('shutting_down', 'The sandbox is stopping, so it creates no more forks.')
}
