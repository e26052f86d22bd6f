/** Median, which one disturbed round does not change. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Half of the distance between the quartiles, as a share of the median. */
export function noise(values: readonly number[]): number {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const low = sorted[Math.floor(place)]
  const high = sorted[Math.ceil(place)]
  if (low === undefined || high === undefined) throw new TypeError('there are no values')
  return low + (high - low) * (place - Math.floor(place))
}
