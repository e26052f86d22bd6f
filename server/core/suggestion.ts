/** What nobody mistypes: the search for something near it would cost more than it helps. */
const longestName = 200

/** Letters that may yet be held against others, by one search or by many that share it. */
export interface Effort {
  left: number
}

/** A tenth of a second or so: whoever asks waits for it, and who else asks as well. */
export const effortOfSearch = (): Effort => ({ left: 2_000_000 })

/**
 * The candidate that was most likely meant: what differs in at most a third of its letters, case, hyphens and
 * underscores aside. Several that are equally near: the first. A search ends with what it has when its effort is spent.
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
    // The difference in length alone takes as many edits.
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
 * ` (did you mean "gated"?)` when one of the candidates is near enough, else nothing.
 * @param given whatever stood where a name should: what is no text is like none
 */
export function suggestion(given: unknown, candidates: Iterable<string>, effort?: Effort): string {
  const found = typeof given === 'string' ? nearest(given, candidates, effort) : undefined
  return found === undefined ? '' : ` (did you mean ${JSON.stringify(found)}?)`
}

/** `redirect_uris` and `--redirect-uris` are as near to `redirectUris` as can be. */
function normalize(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other. */
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
