import type { Rule } from './rule.ts'
import { retryAfterIgnored } from './rules/api/retry-after-ignored.ts'
import { retryStorm } from './rules/api/retry-storm.ts'
import { whoamiPerRequest } from './rules/api/whoami-per-request.ts'
import { plainHttpRedirect } from './rules/app/plain-http-redirect.ts'
import { secretOfPublicApp } from './rules/app/secret-of-public-app.ts'
import { ignoresSlowDown } from './rules/device/ignores-slow-down.ts'
import { pollsOn } from './rules/device/polls-on.ts'
import { tooFast } from './rules/device/too-fast.ts'
import { everyRequest } from './rules/discovery/every-request.ts'
import { perRequest } from './rules/exchange/per-request.ts'
import { notEmulated } from './rules/portability/not-emulated.ts'
import { realToken } from './rules/portability/real-token.ts'
import { challengeReused } from './rules/sign-in/challenge-reused.ts'
import { codeExpired } from './rules/sign-in/code-expired.ts'
import { codeInReferer } from './rules/sign-in/code-in-referer.ts'
import { codeLeft } from './rules/sign-in/code-left.ts'
import { codeRedeemedTwice } from './rules/sign-in/code-redeemed-twice.ts'
import { embeddedBrowser } from './rules/sign-in/embedded-browser.ts'
import { inAFrame } from './rules/sign-in/in-a-frame.ts'
import { knownVerifier } from './rules/sign-in/known-verifier.ts'
import { loop } from './rules/sign-in/loop.ts'
import { noCodeBinding } from './rules/sign-in/no-code-binding.ts'
import { noCsrfProtection } from './rules/sign-in/no-csrf-protection.ts'
import { nonceReused } from './rules/sign-in/nonce-reused.ts'
import { parameterIgnored } from './rules/sign-in/parameter-ignored.ts'
import { pkceAbsent } from './rules/sign-in/pkce-absent.ts'
import { stateCarriesSecret } from './rules/sign-in/state-carries-secret.ts'
import { stateGuessable } from './rules/sign-in/state-guessable.ts'
import { stateReused } from './rules/sign-in/state-reused.ts'
import { deadBearer } from './rules/token/dead-bearer.ts'
import { idTokenAsBearer } from './rules/token/id-token-as-bearer.ts'
import { narrowerNotNoticed } from './rules/token/narrower-not-noticed.ts'
import { refreshAfterRefusal } from './rules/token/refresh-after-refusal.ts'
import { refreshNotStored } from './rules/token/refresh-not-stored.ts'
import { refreshRace } from './rules/token/refresh-race.ts'
import { refreshRepeated } from './rules/token/refresh-repeated.ts'
import { refreshedEarly } from './rules/token/refreshed-early.ts'
import { secretInBrowser } from './rules/token/secret-in-browser.ts'
import { secretInUrl } from './rules/token/secret-in-url.ts'
import { actsTwice } from './rules/webhook/acts-twice.ts'
import { echoesSecret } from './rules/webhook/echoes-secret.ts'
import { feedsItself } from './rules/webhook/feeds-itself.ts'
import { noSecret } from './rules/webhook/no-secret.ts'
import { redirects } from './rules/webhook/redirects.ts'
import { refusesDuplicate } from './rules/webhook/refuses-duplicate.ts'
import { refusesEvents } from './rules/webhook/refuses-events.ts'
import { webhookSecretInUrl } from './rules/webhook/secret-in-url.ts'
import { slow } from './rules/webhook/slow.ts'

/** All rules, in the order in which they are listed. */
export const rules: readonly Rule[] = [
  noCodeBinding,
  noCsrfProtection,
  stateReused,
  challengeReused,
  nonceReused,
  knownVerifier,
  stateCarriesSecret,
  codeRedeemedTwice,
  loop,
  inAFrame,
  codeInReferer,
  pkceAbsent,
  parameterIgnored,
  codeExpired,
  codeLeft,
  stateGuessable,
  embeddedBrowser,
  secretInUrl,
  secretInBrowser,
  idTokenAsBearer,
  refreshRace,
  refreshRepeated,
  refreshNotStored,
  refreshAfterRefusal,
  deadBearer,
  narrowerNotNoticed,
  refreshedEarly,
  retryAfterIgnored,
  whoamiPerRequest,
  retryStorm,
  everyRequest,
  perRequest,
  tooFast,
  ignoresSlowDown,
  pollsOn,
  plainHttpRedirect,
  secretOfPublicApp,
  notEmulated,
  realToken,
  noSecret,
  webhookSecretInUrl,
  echoesSecret,
  redirects,
  slow,
  refusesDuplicate,
  refusesEvents,
  actsTwice,
  feedsItself,
]
