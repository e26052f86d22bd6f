import type { Difference, DifferenceKind } from './difference.ts'

/** Differences that are known, with the reason why they stay. `*` stands for any text. */
export interface KnownDifference {
  operations: readonly string[]
  /** Default: every kind. */
  kinds?: readonly DifferenceKind[]
  /** Places in a request or response. Default: every place. */
  members?: readonly string[]
  reason: string
}

/** Entries of a list that no difference needs any more have to go. */
export interface Judged {
  /** Differences with the reason of the first entry that fits; without one if none does. */
  differences: readonly (Difference & { reason?: string })[]
  unused: readonly KnownDifference[]
}

/** Finds the reason of each difference. */
export function judge(
  differences: readonly Difference[],
  known: readonly KnownDifference[],
): Judged {
  const entries = known.map((entry) => ({ entry, fits: matcherOf(entry) }))
  const used = new Set<KnownDifference>()
  return {
    differences: differences.map((difference) => {
      const found = entries.find(({ fits }) => fits(difference))?.entry
      if (found === undefined) return difference
      used.add(found)
      return { ...difference, reason: found.reason }
    }),
    unused: known.filter((entry) => !used.has(entry)),
  }
}

function matcherOf({ operations, kinds, members }: KnownDifference) {
  const ofOperation = anyOf(operations)
  const ofMember = members === undefined ? undefined : anyOf(members)
  return ({ operation, kind, member }: Difference): boolean =>
    ofOperation(operation) &&
    (kinds === undefined || kinds.includes(kind)) &&
    (ofMember === undefined || ofMember(member))
}

function anyOf(patterns: readonly string[]): (text: string) => boolean {
  const list = patterns.map(
    (pattern) =>
      new RegExp(
        `^${pattern
          .split('*')
          .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
          .join('.*')}$`,
      ),
  )
  return (text) => list.some((pattern) => pattern.test(text))
}
