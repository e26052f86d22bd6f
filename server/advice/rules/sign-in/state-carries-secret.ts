import { because, type Evidence, type SeenSignIn } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

/** Shorter values may be in a state by chance. */
const shortest = 8

export const stateCarriesSecret: Rule = {
  id: 'sign-in/state-carries-secret',
  level: 'error',
  certainty: 'certain',
  title:
    'The state contains a secret. It travels in URLs, so histories, logs and other pages learn it.',
  fix: 'Keep code_verifier, client secret and tokens in the session of the browser, and send a random state.',
  exceptions: [],
  sources: [rfc(9700, '4.2.4'), rfc(9700, '4.7.1')],
  check(evidence) {
    const judged = evidence.signIns.filter(({ asked }) => asked.get('state'))
    return {
      judged: judged.length,
      sightings: judged.flatMap((signIn) => {
        const name = secretIn(evidence, signIn)
        if (name === undefined) return []
        return {
          subject: { clientId: signIn.clientId },
          key: name,
          at: signIn.authorization.record.at,
          evidence: [
            {
              ...because(signIn.authorization, `has the ${name} in its state`, 'state'),
              isSecret: true,
            },
          ],
        }
      }),
    }
  },
}

function secretIn({ state }: Evidence, signIn: SeenSignIn): string | undefined {
  const sent = textsOf(signIn.asked.get('state') ?? '')
  const holds = (secret: string | null | undefined) =>
    secret != null && secret.length >= shortest && sent.some((text) => text.includes(secret))
  if (signIn.redemptions.some(({ form }) => holds(form.get('code_verifier')))) {
    return 'code_verifier'
  }
  const app = signIn.clientId === undefined ? undefined : state.apps.get(signIn.clientId)
  if (holds(app?.clientSecret)) return 'client_secret'
  const words = sent.flatMap((text) => text.split(/[^\w.~-]+/))
  if (words.some((word) => state.tokens.find('token', word) !== undefined)) return 'access_token'
  return words.some((word) => state.refreshTokens.get(word) !== undefined)
    ? 'refresh_token'
    : undefined
}

/** A state is often JSON in base64. */
function textsOf(state: string): string[] {
  return [state, Buffer.from(state, 'base64url').toString('utf8')]
}
