import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks'
import timers from 'node:timers'
import type { Random } from '../../../server/core/random.ts'

/** Captured before the simulated ones replace it. */
const { setImmediate: nextRealTurn } = timers

/** One life of the simulated process. */
export interface Life {
  isOver: boolean
}

/** The life that the present code belongs to; none for clients and the simulator. */
export const present = new AsyncLocalStorage<Life>()

/** Turns of the real event loop without any event, after which a run is stuck. */
const mostIdleTurns = 100_000

interface Timer {
  readonly dueAt: number
  /** Timers that are due at the same time fire in the order in which they were set. */
  readonly number: number
  readonly act: () => void
}

/**
 * Everything that happens later in a simulated process: timers, turns of the event loop, completions of the disk, the
 * network and the threads. The seed chooses what happens next. Time passes only here.
 */
export class Scheduler {
  /** Simulated time of the machine in milliseconds since 1970. */
  now: number
  /** Events that have happened. */
  count = 0
  /** Processes that have died. */
  died = 0
  /** Receives a line for each event. */
  trace: ((line: string) => void) | undefined
  readonly #random: Random
  readonly #onError: (error: unknown) => void
  readonly #names = new WeakMap<() => void, string>()
  /** Completions that may happen in any order. */
  #loose: (() => void)[] = []
  /** Turns of the event loop, which happen in order. */
  #turns: (() => void)[] = []
  #timers: Timer[] = []
  #given = 0

  /** @param onError receives what an event throws */
  constructor(random: Random, now: number, onError: (error: unknown) => void) {
    this.#random = random
    this.#onError = onError
    this.now = now
  }

  /** Completes something of the disk, the network or a thread in one of the next turns. */
  later(name: string, act: () => void): void {
    if (present.getStore()?.isOver === true) return
    const bound = AsyncResource.bind(act)
    this.#names.set(bound, name)
    this.#loose.push(bound)
  }

  /** @returns a function that cancels it */
  turn(act: () => void): () => void {
    if (present.getStore()?.isOver === true) return () => undefined
    const bound = AsyncResource.bind(act)
    this.#turns.push(bound)
    return () => {
      this.#turns = this.#turns.filter((other) => other !== bound)
    }
  }

  /** @returns a function that cancels it */
  after(ms: number, act: () => void): () => void {
    if (present.getStore()?.isOver === true) return () => undefined
    const timer = {
      dueAt: this.now + Math.max(1, Math.trunc(ms) || 1),
      number: (this.#given += 1),
      act: AsyncResource.bind(act),
    }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  /** Forgets all events: their process has died. */
  clear(): void {
    this.#loose = []
    this.#turns = []
    this.#timers = []
    this.died += 1
  }

  /** What will happen, by name. */
  get waiting(): readonly string[] {
    const timers = this.#timers.map(({ dueAt }) => `timer in ${dueAt - this.now} ms`)
    return [...this.#turns.map(() => 'turn'), ...this.#loose.map(this.#nameOf), ...timers]
  }

  /**
   * Lets one event happen that is possible now, and everything that follows from it at once.
   * @param mostMs time that may pass until the next timer when nothing else can happen
   * @returns false if nothing can happen
   */
  async step(mostMs = 0): Promise<boolean> {
    const act = this.#take() ?? this.#takeTimer(mostMs)
    if (act === undefined) return false
    this.count += 1
    this.trace?.(`${this.now} ${this.#nameOf(act)}`)
    try {
      act()
    } catch (error) {
      this.#onError(error)
    }
    await settled()
    return true
  }

  /**
   * Lets events happen until a promise settles, at most until the machine has waited `mostMs`.
   * @param isVain whether nobody waits for it any more
   */
  async until<T>(promise: Promise<T>, mostMs = 0, isVain = () => false): Promise<T> {
    const work = { isOver: false }
    const over = () => void (work.isOver = true)
    promise.then(over, over)
    const lastMs = this.now + mostMs
    await settled()
    // The first start reads files of the real disk, which takes real time.
    for (let idle = 0; !work.isOver && !isVain() && idle < mostIdleTurns;) {
      if (await this.step(lastMs - this.now)) idle = 0
      else {
        idle += 1
        await settled()
      }
    }
    if (!work.isOver) throw new Error('nothing happens any more, and the work is not done')
    return promise
  }

  readonly #nameOf = (act: () => void) => this.#names.get(act) ?? 'turn or timer'

  #take(): (() => void) | undefined {
    const count = this.#loose.length + (this.#turns.length > 0 ? 1 : 0)
    if (count === 0) return undefined
    // Work takes time, too.
    if (this.#random.chance(0.2)) this.now += 1
    const at = this.#random.int(count)
    if (at === this.#loose.length) return this.#turns.shift()
    const [act] = this.#loose.splice(at, 1)
    return act
  }

  #takeTimer(mostMs: number): (() => void) | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      const isBefore =
        next === undefined ||
        timer.dueAt < next.dueAt ||
        (timer.dueAt === next.dueAt && timer.number < next.number)
      if (isBefore) next = timer
    }
    if (next === undefined || next.dueAt > this.now + mostMs) return undefined
    this.#timers.splice(this.#timers.indexOf(next), 1)
    this.now = Math.max(this.now, next.dueAt)
    return next.act
  }
}

/** Resolves when all promises and ticks of the present turn have run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => nextRealTurn(resolve))
}
