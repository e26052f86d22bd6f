/** A call of a sandbox that is closed, or was before the call had its answer. */
export class SandboxClosedError extends Error {
  override readonly name = 'SandboxClosedError'

  /** @param call name of the method, such as `clock.advance` */
  constructor(call: string, options?: ErrorOptions) {
    super(`the sandbox is closed: ${call}() can have no answer any more`, options)
  }
}

/** Whether a sandbox is closed, and who wants to know at once when it is. */
export interface Closing {
  readonly begun: boolean
  /** Those who wait are told, once. */
  begin(): void
  /** @returns no longer to be told */
  tell(listener: () => void): () => void
}

export function createClosing(): Closing {
  const listeners = new Set<() => void>()
  let begun = false
  return {
    get begun() {
      return begun
    },
    begin() {
      begun = true
      for (const listener of listeners) listener()
      listeners.clear()
    },
    tell(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Calls<T> = { [Name in keyof T]: (...args: never[]) => Promise<unknown> }

/**
 * The same methods, each of which says by a {@link SandboxClosedError} that it comes too late, rather than how whatever
 * it needs has ended.
 * @param owner what stands before the names of the methods, such as `clock.`
 */
export function untilClosed<T extends Calls<T>>(closing: Closing, owner: string, calls: T): T {
  const guarded = Object.entries<Calls<T>[keyof T]>(calls).map(([name, call]) => [
    name,
    async (...args: never[]) => {
      if (closing.begun) throw new SandboxClosedError(`${owner}${name}`)
      try {
        return await call(...args)
      } catch (cause) {
        throw closing.begun ? new SandboxClosedError(`${owner}${name}`, { cause }) : cause
      }
    },
  ])
  return Object.fromEntries(guarded) as T
}
