import type { GitPattern } from './git-patterns.ts'
import type { MatchWork } from './match-work.ts'

const none: readonly number[] = []

/** Finds the patterns of a list that may match a path: few of the usual long lists. */
export class RuleIndex {
  /** Patterns without wildcards, by the name or the path that they match. */
  readonly #names = new Map<string, number[]>()
  readonly #paths = new Map<string, number[]>()
  /** All others, with the last character of what they match; `undefined` = any. */
  readonly #wild: { readonly index: number; readonly last: string | undefined }[] = []
  /** Those of `#wild` that may match a path with this last character. */
  readonly #byLast = new Map<string, number[]>()

  constructor(patterns: readonly GitPattern[]) {
    for (const [index, { isName, literal, end }] of patterns.entries()) {
      if (literal === undefined) {
        this.#wild.push({ index, last: end === '' ? undefined : end.at(-1) })
        continue
      }
      const literals = isName ? this.#names : this.#paths
      const same = literals.get(literal)
      if (same === undefined) literals.set(literal, [index])
      else same.push(index)
    }
  }

  /** @returns positions in the list, in its order */
  candidates(path: string, work: MatchWork): readonly number[] {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const lists = [
      this.#names.get(name) ?? none,
      this.#paths.get(path) ?? none,
      this.#endingIn(path.at(-1) ?? '', work),
    ].filter((list) => list.length > 0)
    if (lists.length <= 1) return lists[0] ?? none
    const merged = lists.flat()
    work.spend(merged.length)
    return merged.toSorted((a, b) => a - b)
  }

  #endingIn(last: string, work: MatchWork): readonly number[] {
    const known = this.#byLast.get(last)
    if (known !== undefined) return known
    work.spend(this.#wild.length)
    const found = this.#wild
      .filter((one) => one.last === undefined || one.last === last)
      .map(({ index }) => index)
    this.#byLast.set(last, found)
    return found
  }
}
