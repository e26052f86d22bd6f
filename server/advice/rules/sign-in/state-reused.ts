import { rfc, type Rule } from '../../rule.ts'
import { findReused } from './reused-value.ts'

export const stateReused: Rule = {
  id: 'sign-in/state-reused',
  level: 'error',
  certainty: 'certain',
  title: 'The state is the same in several sign-ins, so it does not prove who started one.',
  fix: 'Generate a random state for each sign-in, and keep it in the session of the browser.',
  exceptions: ['the Back button repeats a request that was left'],
  sources: [rfc(6749, '10.12')],
  check: (evidence) =>
    // PKCE protects these sign-ins all the same.
    findReused(evidence, 'state', (asked) => (asked.has('code_challenge') ? 'warning' : undefined)),
}
