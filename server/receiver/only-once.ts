/** Returns a function that runs at its first call and returns the same result from then on. */
export function onlyOnce<T>(work: () => T): () => T {
  let result: { value: T } | undefined
  return () => {
    result ??= { value: work() }
    return result.value
  }
}
