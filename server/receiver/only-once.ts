/** Makes a function that does its work at the first call and answers the same ever after. */
export function onlyOnce<T>(work: () => T): () => T {
  let result: { value: T } | undefined
  return () => {
    result ??= { value: work() }
    return result.value
  }
}
