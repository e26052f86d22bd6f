/** Longest name to search for; a longer one is not a typing mistake. */
const longestName = 200

/** Remaining effort in character comparisons, for one search or several. */
export interface Effort {
  left: number
}

/** About a tenth of a second, during which the event loop is blocked. */
export const effortOfSearch = (): Effort => ({ left: 2_000_000 })

/**
 * Finds the candidate that was most likely meant: at most a third of its characters differ, ignoring case, hyphens and
 * underscores. Of equally near ones it returns the first. When its effort is used up, the search returns the best so
 * far.
 */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  effort: Effort = effortOfSearch(),
): string | undefined {
  const wanted = normalize(name)
  if (wanted.length > longestName) return undefined
  const mostEdits = Math.max(1, Math.floor(wanted.length / 3))
  let best: { candidate: string; edits: number } | undefined
  for (const candidate of effort.left > 0 ? candidates : []) {
    const other = normalize(candidate)
    // The difference in length is a lower bound of the edits.
    const isNear = Math.abs(other.length - wanted.length) <= mostEdits
    effort.left -= 1 + candidate.length * (isNear ? wanted.length : 1)
    if (effort.left < 0) break
    if (!isNear) continue
    const edits = editDistance(wanted, other)
    if (edits <= mostEdits && edits < (best?.edits ?? Infinity)) best = { candidate, edits }
  }
  return best?.candidate
}

/**
 * Returns ` (did you mean "gated"?)` if a candidate is near enough, else an empty string.
 * @param given value in place of a name; only a string can match
 */
export function suggestion(given: unknown, candidates: Iterable<string>, effort?: Effort): string {
  const found = typeof given === 'string' ? nearest(given, candidates, effort) : undefined
  return found === undefined ? '' : ` (did you mean ${JSON.stringify(found)}?)`
}

/** Makes `redirect_uris` and `--redirect-uris` equal to `redirectUris`. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** Counts the insertions, deletions, replacements and swaps of neighbours between two strings. */
export function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    rows.push(current)
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      current.push(
        Math.min(
          at(row - 1, column - 1) + (same ? 0 : 1),
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          swapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      )
    }
  }
  return at(a.length, b.length)
}
