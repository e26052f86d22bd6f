/** Promise with its resolvers, as `Promise.withResolvers`, which Node 20 lacks. */
export interface Deferred<T> {
  promise: Promise<T>
  resolve(value: T): void
  reject(error: Error): void
}

export function defer<T>(): Deferred<T> {
  let resolve: ((value: T) => void) | undefined
  let reject: ((error: Error) => void) | undefined
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return {
    promise,
    resolve: (value) => resolve?.(value),
    reject: (error) => reject?.(error),
  }
}
