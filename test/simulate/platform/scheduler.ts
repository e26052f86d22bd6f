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

/** Something that happens later, in the life and the context of the code that has asked for it. */
class Happening extends AsyncResource {
  readonly name: string
  readonly #act: () => void

  constructor(name: string, act: () => void) {
    super(name, { requireManualDestroy: true })
    this.name = name
    this.#act = act
  }

  happen(): void {
    this.runInAsyncScope(this.#act)
  }
}

class Timer extends Happening {
  readonly dueAt: number

  constructor(dueAt: number, act: () => void) {
    super('timer', act)
    this.dueAt = dueAt
  }
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
  /** Completions that may happen in any order. */
  #loose: Happening[] = []
  /** Turns of the event loop, which happen in order. */
  #turns: Happening[] = []
  /** In the order in which they were set. */
  #timers: Timer[] = []

  /** @param onError receives what an event throws */
  constructor(random: Random, now: number, onError: (error: unknown) => void) {
    this.#random = random
    this.#onError = onError
    this.now = now
  }

  /** Completes something of the disk, the network or a thread in one of the next turns. */
  later(name: string, act: () => void): void {
    if (present.getStore()?.isOver === true) return
    this.#loose.push(new Happening(name, act))
  }

  /** @returns a function that cancels it */
  turn(act: () => void): () => void {
    if (present.getStore()?.isOver === true) return () => undefined
    const turn = new Happening('turn', act)
    this.#turns.push(turn)
    return () => remove(this.#turns, turn)
  }

  /** @returns a function that cancels it */
  after(ms: number, act: () => void): () => void {
    if (present.getStore()?.isOver === true) return () => undefined
    const timer = new Timer(this.now + Math.max(1, Math.trunc(ms) || 1), act)
    this.#timers.push(timer)
    return () => remove(this.#timers, timer)
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
    return [...[...this.#turns, ...this.#loose].map(({ name }) => name), ...timers]
  }

  /**
   * Lets one event happen that is possible now, and everything that follows from it at once.
   * @param mostMs time that may pass until the next timer when nothing else can happen
   * @returns false if nothing can happen
   */
  async step(mostMs = 0): Promise<boolean> {
    const next = this.#take() ?? this.#takeTimer(mostMs)
    if (next === undefined) return false
    this.count += 1
    this.trace?.(`${this.now} ${next.name}`)
    try {
      next.happen()
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

  #take(): Happening | undefined {
    const count = this.#loose.length + (this.#turns.length > 0 ? 1 : 0)
    if (count === 0) return undefined
    // Work takes time, too.
    if (this.#random.chance(0.2)) this.now += 1
    const at = this.#random.int(count)
    if (at === this.#loose.length) return this.#turns.shift()
    return this.#loose.splice(at, 1)[0]
  }

  #takeTimer(mostMs: number): Timer | undefined {
    let next: Timer | undefined
    for (const timer of this.#timers) {
      if (next === undefined || timer.dueAt < next.dueAt) next = timer
    }
    if (next === undefined || next.dueAt > this.now + mostMs) return undefined
    remove(this.#timers, next)
    this.now = Math.max(this.now, next.dueAt)
    return next
  }
}

/** Removes an item of a list, if it is there. */
function remove<T>(list: T[], item: T): void {
  const at = list.indexOf(item)
  if (at >= 0) list.splice(at, 1)
}

/** Resolves when all promises and ticks of the present turn have run. */
export function settled(): Promise<void> {
  return new Promise((resolve) => nextRealTurn(resolve))
}
