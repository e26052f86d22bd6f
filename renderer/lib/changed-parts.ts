/** Returns the changed members only, so that an edit keeps changes that others made meanwhile. */
export function changedParts<T extends object>(before: T, after: T): Partial<T> {
  const known = new Map(
    Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]),
  )
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== known.get(name)),
  ) as Partial<T>
}
