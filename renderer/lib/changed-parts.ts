/**
 * What a form changes, of a request that would say all of it: what is not touched is not said, so that
 * it stays as others made it meanwhile.
 */
export function changedParts<T extends object>(before: T, after: T): Partial<T> {
  const known = new Map(
    Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]),
  )
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== known.get(name)),
  ) as Partial<T>
}
