/** Kinds of differences between the Hub and the sandbox, with what each means for a client. */
export const differenceKinds = {
  'missing operation': 'The Hub has it, the sandbox does not',
  'extra operation': 'The sandbox has it, the document does not',
  'missing input': 'The Hub reads this parameter or member of a body, the sandbox does not',
  'extra input': 'The sandbox reads it, the document does not have it',
  narrower: 'The sandbox refuses what the Hub takes',
  wider: 'The sandbox takes what the Hub refuses: it is kinder',
  default: 'Without this input, the two do something else',
  'missing member': 'Responses of the sandbox lack a member that the Hub sends',
  'extra member': 'Responses of the sandbox have a member that the Hub does not send',
  type: 'The same member has another type or value',
  status: 'The two respond with another status',
  header: 'A header that clients read is on one side only, or has another form',
  'not called': 'The sandbox has it, but no call of the tour got a response of it',
} as const

export type DifferenceKind = keyof typeof differenceKinds

/** A difference between the Hub and the sandbox. */
export interface Difference {
  /** Operation of the Hub, such as `GET /api/models/{namespace}/{repo}/refs`. */
  operation: string
  kind: DifferenceKind
  /** Place in the request or response, such as `?limit` or `[].author.name`; empty for the whole operation. */
  member: string
  /** Behavior of the Hub, or the words of its document. */
  hub: string
  /** Behavior of the sandbox. */
  here: string
}

/** Names a difference, for `--explain` and the list of known ones. */
export function keyOf({ operation, kind, member }: Difference): string {
  return [operation, kind, member].filter((part) => part !== '').join(' ')
}
