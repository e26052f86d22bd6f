export type RefusalCode = 'invalid_request' | 'not_found' | 'conflict' | 'forbidden'

export interface Issue {
  /** Where, such as `redirectUris[1]`. */
  path: string
  message: string
}

/** A request of the sandbox's user that cannot be carried out: the message is for them. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: RefusalCode
  readonly issues: readonly Issue[]

  constructor(code: RefusalCode, message: string, issues: readonly Issue[] = []) {
    super(message)
    this.code = code
    this.issues = issues
  }
}

/** @throws {Refusal} `invalid_request` naming every issue, when there is one */
export function refuseIssues(issues: readonly Issue[]): void {
  const [first] = issues
  if (first === undefined) return
  const message = issues.length === 1 ? first.message : `There are ${issues.length} mistakes.`
  throw new Refusal('invalid_request', message, issues)
}
