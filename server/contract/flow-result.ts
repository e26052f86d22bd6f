import type { flowOutcomes, FlowResult } from './words/sandbox.ts'

/** Parts of a sign-in that decide its result. */
interface Decided {
  outcome: (typeof flowOutcomes)[number]
  denied?: true | undefined
  expired?: true | undefined
}

/** Returns the one word for the result of a sign-in; a denial or an expiry is no mistake that was refused. */
export function resultOf({ outcome, denied, expired }: Decided): FlowResult {
  if (denied === true) return 'denied'
  return expired === true ? 'expired' : outcome
}
