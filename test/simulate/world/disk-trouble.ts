import { syncedAfterMs } from './facts.ts'

/** Time after a repair in which a failure may still be reported, in milliseconds. */
const echoMs = 2000

const reasons = ['the disk is full', 'the disk reports an error', 'too many files are open']

/** Returns true if a refusal names the disk as its reason. */
export const namesTheDisk = (text: string): boolean =>
  reasons.some((reason) => text.includes(reason))

/** Times at which the disk refuses operations, in simulated time. */
export class DiskTrouble {
  #since: number | undefined
  /** Infinity while it goes on. */
  #until = Number.NEGATIVE_INFINITY
  #feltUntil = Number.NEGATIVE_INFINITY

  begin(now: number): void {
    if (now > this.#until + syncedAfterMs) this.#since = undefined
    this.#since ??= now
    this.#until = Number.POSITIVE_INFINITY
    this.#feltUntil = Number.POSITIVE_INFINITY
  }

  /** @param isFelt whether the same process goes on */
  end(now: number, isFelt: boolean): void {
    this.#until = Math.min(this.#until, now)
    this.#feltUntil = isFelt ? this.#until + echoMs : Number.NEGATIVE_INFINITY
  }

  /** Returns true if an operation that began at this time may fail because of the disk. */
  isFelt(begunAt: number): boolean {
    return begunAt <= this.#feltUntil
  }

  /** Time until which everything that was confirmed is on the disk. */
  safeUntil(now: number): number {
    const isOver = now > this.#until + syncedAfterMs
    return (isOver ? now : (this.#since ?? now)) - syncedAfterMs
  }
}
