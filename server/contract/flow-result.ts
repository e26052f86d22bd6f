import type { flowOutcomes, FlowResult } from './words/sandbox-words.ts'

/** Parts of a sign-in that decide its result. */
interface Decided {
  outcome: (typeof flowOutcomes)[number]
  denied?: true | undefined
  expired?: true | undefined
}

/** Returns the word for the result of a sign-in. A denial or an expiry does not count as a refusal. */
export function resultOf({ outcome, denied, expired }: Decided): FlowResult {
  if (denied === true) return 'denied'
  return expired === true ? 'expired' : outcome
}
