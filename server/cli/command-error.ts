/** Failure of a command; the message says how to fix it. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** 2 for invalid usage. */
  readonly exitCode: 1 | 2

  constructor(message: string, options: ErrorOptions & { exitCode?: 1 | 2 } = {}) {
    super(message, options)
    this.exitCode = options.exitCode ?? 1
  }
}
