import type { Rule } from './rule.ts'
import { retryAfterIgnored } from './rules/api/retry-after-ignored.ts'
import { ignoresSlowDown } from './rules/device/ignores-slow-down.ts'
import { pollsOn } from './rules/device/polls-on.ts'
import { tooFast } from './rules/device/too-fast.ts'
import { notEmulated } from './rules/portability/not-emulated.ts'
import { realToken } from './rules/portability/real-token.ts'
import { challengeReused } from './rules/sign-in/challenge-reused.ts'
import { codeRedeemedTwice } from './rules/sign-in/code-redeemed-twice.ts'
import { knownVerifier } from './rules/sign-in/known-verifier.ts'
import { noCodeBinding } from './rules/sign-in/no-code-binding.ts'
import { noCsrfProtection } from './rules/sign-in/no-csrf-protection.ts'
import { nonceReused } from './rules/sign-in/nonce-reused.ts'
import { stateReused } from './rules/sign-in/state-reused.ts'
import { deadBearer } from './rules/token/dead-bearer.ts'
import { idTokenAsBearer } from './rules/token/id-token-as-bearer.ts'
import { refreshAfterRefusal } from './rules/token/refresh-after-refusal.ts'
import { refreshNotStored } from './rules/token/refresh-not-stored.ts'
import { refreshRace } from './rules/token/refresh-race.ts'
import { secretInUrl } from './rules/token/secret-in-url.ts'
import { echoesSecret } from './rules/webhook/echoes-secret.ts'
import { noSecret } from './rules/webhook/no-secret.ts'
import { redirects } from './rules/webhook/redirects.ts'
import { refusesDuplicate } from './rules/webhook/refuses-duplicate.ts'
import { slow } from './rules/webhook/slow.ts'

/** All rules, in the order in which they are listed. */
export const rules: readonly Rule[] = [
  noCodeBinding,
  noCsrfProtection,
  stateReused,
  challengeReused,
  nonceReused,
  knownVerifier,
  codeRedeemedTwice,
  secretInUrl,
  idTokenAsBearer,
  refreshRace,
  refreshNotStored,
  refreshAfterRefusal,
  deadBearer,
  retryAfterIgnored,
  tooFast,
  ignoresSlowDown,
  pollsOn,
  notEmulated,
  realToken,
  noSecret,
  echoesSecret,
  redirects,
  slow,
  refusesDuplicate,
]
