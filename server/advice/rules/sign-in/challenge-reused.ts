import { rfc, type Rule } from '../../rule.ts'
import { findReused } from './reused-value.ts'

export const challengeReused: Rule = {
  id: 'sign-in/challenge-reused',
  level: 'error',
  certainty: 'certain',
  title:
    'Several sign-ins use the same PKCE verifier, so an attacker who learns it once can redeem every code.',
  fix: 'Generate a new code_verifier for each sign-in.',
  exceptions: ['only one of the sign-ins was completed'],
  sources: [rfc(7636, '4.1'), rfc(9700, '2.1.1')],
  check: (evidence) => findReused(evidence, 'code_challenge'),
}
