import { fitsPattern } from '../../contract/fits-pattern.ts'
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
  const used = new Set<KnownDifference>()
  return {
    differences: differences.map((difference) => {
      const found = known.find((entry) => fits(entry, difference))
      if (found === undefined) return difference
      used.add(found)
      return { ...difference, reason: found.reason }
    }),
    unused: known.filter((entry) => !used.has(entry)),
  }
}

function fits({ operations, kinds, members }: KnownDifference, found: Difference): boolean {
  return (
    operations.some((pattern) => fitsPattern(pattern, found.operation)) &&
    (kinds === undefined || kinds.includes(found.kind)) &&
    (members === undefined || members.some((pattern) => fitsPattern(pattern, found.member)))
  )
}
