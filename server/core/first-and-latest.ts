/** Returns both ends of a long list, up to `most` items of each. */
export function firstAndLatest<T>(items: readonly T[], each: number): readonly T[] {
  return items.length <= 2 * each ? items : [...items.slice(0, each), ...items.slice(-each)]
}
