/** Error response of the control API, with all its issues. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly status: number
  readonly code: string
  readonly issues: readonly { path: string; message: string }[]
  /** Whole response body. */
  readonly body: unknown

  constructor(status: number, body: unknown) {
    const { error, message, issues } = body as {
      error?: string
      message?: string
      issues?: { path: string; message: string }[]
    }
    const summary = message ?? error ?? `the control API returned ${status}`
    // The message may already contain the issue.
    const details = (issues ?? []).filter((issue) => !summary.includes(issue.message))
    const lines = details.map((issue) => `\n  ${issue.path}: ${issue.message}`)
    super(`${summary}${lines.join('')}`)
    this.status = status
    this.code = error ?? 'unknown'
    this.issues = issues ?? []
    this.body = body
  }
}
