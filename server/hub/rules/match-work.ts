import { Refusal } from '../../core/refusal.ts'

/** Over a hundred times the work of large uploads with long lists of rules; about a second. */
const mostSteps = 100_000_000
const stepsOfSlice = 50_000

/**
 * Counts the work of matching rules against paths. Any client can send both, and the work grows with the product of their
 * sizes, so the product has its own limit.
 */
export class MatchWork {
  #steps = 0
  #next = stepsOfSlice

  /** @throws {Refusal} `invalid` beyond the limit */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps <= mostSteps) return
    throw new Refusal(
      'invalid',
      `Matching these paths with the rules of .gitignore and .gitattributes takes more than ${mostSteps / 1e6} million steps`,
      { detail: 'use fewer or simpler rules, or fewer or shorter paths' },
    )
  }

  /** Checks whether it is time to yield to the event loop. */
  isDue(): boolean {
    if (this.#steps < this.#next) return false
    this.#next = this.#steps + stepsOfSlice
    return true
  }
}
