import type { AppJudgement, ControlFacts } from '../../app-module.ts'
import { tolerate } from '../../../judgement.ts'

/** Returns why modules about the ID token do not concern an app. */
export function readsIdToken({ hasIdToken, readsIdToken: reads }: ControlFacts) {
  if (!hasIdToken) return 'The app does not ask for the scope openid, so it gets no ID token.'
  return reads === false ? 'The app does not read the ID token.' : undefined
}

/** Same as {@link readsIdToken}, for an app that sends a nonce. */
export function readsNonce(facts: ControlFacts) {
  return readsIdToken(facts) ?? (facts.asked.has('nonce') ? undefined : 'The app sends no nonce.')
}

/** Why an app may accept an ID token from the token endpoint without a look at its signature (OpenID Connect Core §3.1.3.7). */
export const directConnection =
  'The app receives the ID token from the Hub over a direct TLS connection, so it need not check the signature.'

/** Makes a failure tolerable, where the standard allows an app to accept the ID token. */
export function allowUnchecked(judgement: AppJudgement): AppJudgement {
  return judgement.outcome === 'failed' ? tolerate(judgement, directConnection) : judgement
}
