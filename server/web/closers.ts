/** Functions that end open streams and sockets before the server closes. */
export interface Closers {
  add(close: () => void): void
  /** Calls the functions added so far, once. */
  run(): void
}

export function createClosers(): Closers {
  const closers: (() => void)[] = []
  return {
    add: (close) => void closers.push(close),
    run() {
      for (const close of closers.splice(0)) close()
    },
  }
}
