import { because, type SeenSignIn } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

/** Example of RFC 7636, appendix B. */
const publishedVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

export const knownVerifier: Rule = {
  id: 'sign-in/known-verifier',
  level: 'error',
  certainty: 'certain',
  title: 'The PKCE verifier can be guessed, so PKCE protects nothing.',
  fix: 'Generate code_verifier from 32 random bytes, encoded as base64url.',
  exceptions: [],
  sources: [rfc(7636, '7.1')],
  check({ signIns }) {
    const sent = signIns.flatMap((signIn) =>
      signIn.redemptions
        .filter(({ form }) => form.has('code_verifier'))
        .map((redemption) => ({ signIn, redemption })),
    )
    return {
      judged: sent.length,
      sightings: sent.flatMap(({ signIn, redemption }) => {
        const guess = guessOf(signIn, redemption.form.get('code_verifier') ?? '')
        if (guess === undefined) return []
        return {
          subject: { clientId: signIn.clientId },
          key: 'code_verifier',
          at: redemption.record.at,
          evidence: [because(redemption, `code_verifier ${guess}`, 'code_verifier')],
        }
      }),
    }
  },
}

function guessOf({ asked }: SeenSignIn, verifier: string): string | undefined {
  if (verifier === publishedVerifier) return 'is the example of RFC 7636'
  const same = ['state', 'nonce', 'client_id'].find((name) => asked.get(name) === verifier)
  if (same !== undefined) return `equals ${same}`
  return /^(.)\1*$/.test(verifier) ? 'repeats one character' : undefined
}
