/** Of a long list both ends, up to so many of each. */
export function firstAndLatest<T>(items: readonly T[], each: number): readonly T[] {
  return items.length <= 2 * each ? items : [...items.slice(0, each), ...items.slice(-each)]
}
