/** Error of a call to a closed sandbox, or one closed before its response. */
export class SandboxClosedError extends Error {
  override readonly name = 'SandboxClosedError'

  /** @param call name of the method, such as `clock.advance` */
  constructor(call: string, options?: ErrorOptions) {
    super(`the sandbox is closed: ${call}() got no response`, options)
  }
}

/** Closing state of a sandbox, with its listeners. */
export interface Closing {
  readonly begun: boolean
  /** Notifies the listeners once. */
  begin(): void
  /** @returns a function that removes the listener */
  onClose(listener: () => void): () => void
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
    onClose(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Calls<T> = { [Name in keyof T]: (...args: never[]) => Promise<unknown> }

/**
 * Wraps methods so that they reject with a {@link SandboxClosedError} after closing, rather than with the
 * error of a lower layer.
 * @param owner prefix of the method names, such as `clock.`
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
