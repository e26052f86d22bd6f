/** Timeout of an outgoing request. The message says what had not happened by then. */
export class DeadlineError extends Error {
  override readonly name: string = 'DeadlineError'
  readonly limit: 'connect' | 'total'

  constructor(limit: 'connect' | 'total', message: string) {
    super(message)
    this.limit = limit
  }
}
