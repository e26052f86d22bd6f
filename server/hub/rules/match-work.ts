import { Refusal } from '../../core/refusal.ts'

/** Steps that every request has, enough for a few files and long lists of rules. */
const leastSteps = 100_000
/** Further steps for each byte that is sent. A step takes 10 to 20 ns, so a megabyte costs less than 0.3 s. */
const stepsOfByte = 15

/**
 * Counts the work of matching rules against paths. Any client can send both, and the work grows with the product of their
 * sizes, so the product has a limit that grows only with the request.
 */
export class MatchWork {
  readonly #mostSteps: number
  #steps = 0

  /** @param sentBytes bytes of the paths and rules in the request */
  constructor(sentBytes: number) {
    this.#mostSteps = leastSteps + stepsOfByte * sentBytes
  }

  /** @throws {Refusal} `invalid` beyond the limit */
  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps <= this.#mostSteps) return
    throw new Refusal(
      'invalid',
      `Matching these paths with the rules of .gitignore and .gitattributes takes more than ${this.#mostSteps} steps`,
      {
        detail: `the limit is ${leastSteps} steps, and ${stepsOfByte} for each byte sent: use fewer or simpler rules`,
      },
    )
  }
}
