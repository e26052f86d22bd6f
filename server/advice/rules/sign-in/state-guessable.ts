import { because, isBoundByNonce } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

/** Characters of a state that cannot be tried out. */
const shortest = 8

export const stateGuessable: Rule = {
  id: 'sign-in/state-guessable',
  level: 'warning',
  certainty: 'likely',
  title: 'The state looks as if it can be guessed, and nothing else protects the sign-in.',
  fix: 'Generate state from 16 random bytes or more, and use PKCE.',
  exceptions: ['PKCE protects the sign-in'],
  sources: [rfc(6749, '10.10')],
  check({ signIns }) {
    const judged = signIns.filter(
      (signIn) =>
        signIn.redeemed !== undefined &&
        signIn.asked.has('state') &&
        !signIn.asked.has('code_challenge') &&
        !isBoundByNonce(signIn),
    )
    return {
      judged: judged.length,
      sightings: judged.flatMap(({ clientId, asked, authorization }) => {
        const why = weaknessOf(asked.get('state') ?? '')
        if (why === undefined) return []
        return {
          subject: { clientId },
          key: 'state',
          at: authorization.record.at,
          evidence: [because(authorization, `has a state that ${why}`, 'state')],
        }
      }),
    }
  },
}

function weaknessOf(state: string): string | undefined {
  if (state.length < shortest) return `has ${state.length} characters`
  // Times are digits too.
  if (/^\d+(?:\.\d+)?$/.test(state)) return 'has digits only'
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)?$/.test(state) ? 'is a time' : undefined
}
