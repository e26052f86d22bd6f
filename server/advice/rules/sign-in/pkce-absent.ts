import { because, isBoundByNonce } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const pkceAbsent: Rule = {
  id: 'sign-in/pkce-absent',
  level: 'note',
  certainty: 'certain',
  title: 'The app does not use PKCE. Its nonce protects it only if the app checks the ID token.',
  fix: 'Send code_challenge with S256, and code_verifier with the code: the Hub supports PKCE for every app.',
  exceptions: ['the app sends no nonce either, which is the error sign-in/no-code-binding'],
  sources: [rfc(9700, '2.1.1')],
  check({ signIns }) {
    const redeemed = signIns.filter(({ redeemed: tokens }) => tokens !== undefined)
    return {
      judged: redeemed.length,
      sightings: redeemed
        // Without a nonce it is the error sign-in/no-code-binding.
        .filter((signIn) => isBoundByNonce(signIn) && !signIn.asked.has('code_challenge'))
        .map(({ clientId, authorization }) => ({
          subject: { clientId },
          key: 'code_challenge',
          at: authorization.record.at,
          evidence: [because(authorization, 'has a nonce and no code_challenge', 'code_challenge')],
        })),
    }
  },
}
