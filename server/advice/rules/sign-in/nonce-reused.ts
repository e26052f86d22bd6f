import { openIdCore, type Rule } from '../../rule.ts'
import { findReused } from './reused-value.ts'

export const nonceReused: Rule = {
  id: 'sign-in/nonce-reused',
  level: 'warning',
  certainty: 'certain',
  title: 'The nonce is the same in several sign-ins, so an ID token of one passes for another.',
  fix: 'Generate a random nonce for each sign-in, and compare it with the claim nonce of the ID token.',
  exceptions: ['only one of the sign-ins was completed'],
  sources: [openIdCore('15.5.2')],
  check: (evidence) => findReused(evidence, 'nonce'),
}
