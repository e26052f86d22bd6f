/** A refusal of the control API, with every mistake it names. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly status: number
  readonly code: string
  readonly issues: readonly { path: string; message: string }[]
  /** The whole answer. */
  readonly body: unknown

  constructor(status: number, body: unknown) {
    const { error, message, issues } = body as {
      error?: string
      message?: string
      issues?: { path: string; message: string }[]
    }
    const summary = message ?? error ?? `the control API answered ${status}`
    // What the message tells already is not told again.
    const details = (issues ?? []).filter((issue) => !summary.includes(issue.message))
    const lines = details.map((issue) => `\n  ${issue.path}: ${issue.message}`)
    super(`${summary}${lines.join('')}`)
    this.status = status
    this.code = error ?? 'unknown'
    this.issues = issues ?? []
    this.body = body
  }
}
