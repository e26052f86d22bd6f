/** A command cannot do what it was asked; the message says what helps. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** 2 where the request itself was wrong. */
  readonly exitCode: 1 | 2

  constructor(message: string, options: ErrorOptions & { exitCode?: 1 | 2 } = {}) {
    super(message, options)
    this.exitCode = options.exitCode ?? 1
  }
}
