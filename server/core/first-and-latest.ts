/** Returns both ends of a long list, with up to `each` items. */
export function firstAndLatest<T>(items: readonly T[], each: number): readonly T[] {
  return items.length <= 2 * each ? items : [...items.slice(0, each), ...items.slice(-each)]
}
