/** Runs a task after those before it, even if one of them failed. */
export type Turns = <T>(task: () => T | Promise<T>) => Promise<T>

/** Creates a queue whose tasks run one after another. */
export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const done = last.then(task)
    last = done.catch(() => undefined)
    return done
  }
}
