import type { BranchMapping, FileCoverageData, Location, Range } from 'istanbul-lib-coverage'

/** Start of a range. Builds disagree about where ranges end. */
const at = ({ line, column }: Partial<Location>) => `${line}:${column}`
const placeOf = ({ start }: Range) => at(start)
const branchOf = ({ type, locations }: BranchMapping) =>
  [type, ...locations.map(({ start }) => at(start))].join(' ')

/** The keys of a table by the place of what they stand for. */
function keysByPlace<T>(table: Record<string, T>, place: (item: T) => string) {
  return new Map(Object.entries(table).map(([key, item]) => [place(item), key]))
}

/** Pairs of keys that stand for the same in both tables. */
function common<T>(to: Record<string, T>, from: Record<string, T>, place: (item: T) => string) {
  const keys = keysByPlace(to, place)
  return Object.entries(from).flatMap(([key, item]) => {
    const known = keys.get(place(item))
    return known === undefined ? [] : [[known, key] as const]
  })
}

/**
 * Adds what ran of another build of the same file. What the first build does not know of is left out: where the two
 * disagree about a statement, it counts as what the first says.
 */
export function addHits(to: FileCoverageData, from: FileCoverageData): void {
  for (const [known, key] of common(to.statementMap, from.statementMap, placeOf)) {
    to.s[known] = (to.s[known] ?? 0) + (from.s[key] ?? 0)
  }
  for (const [known, key] of common(to.fnMap, from.fnMap, ({ decl }) => placeOf(decl))) {
    to.f[known] = (to.f[known] ?? 0) + (from.f[key] ?? 0)
  }
  for (const [known, key] of common(to.branchMap, from.branchMap, branchOf)) {
    to.b[known] = (to.b[known] ?? []).map((hits, arm) => hits + (from.b[key]?.[arm] ?? 0))
  }
}
