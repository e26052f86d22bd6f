import { because, isBoundByNonce } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const noCodeBinding: Rule = {
  id: 'sign-in/no-code-binding',
  level: 'error',
  certainty: 'certain',
  title:
    'Nothing binds the authorization code to the browser that started the sign-in: a stolen code signs its thief in.',
  fix: 'Use PKCE with S256, in public apps and in apps with a secret: send code_challenge, and code_verifier with the code.',
  exceptions: ['the sign-in was never completed', 'a fault changed the sign-in'],
  sources: [rfc(9700, '2.1.1'), rfc(9700, '4.5.3')],
  check({ signIns }) {
    const redeemed = signIns.filter(({ redeemed: tokens }) => tokens !== undefined)
    return {
      judged: redeemed.length,
      sightings: redeemed
        .filter((signIn) => !signIn.asked.has('code_challenge') && !isBoundByNonce(signIn))
        .map(({ clientId, asked, authorization }) => ({
          subject: { clientId },
          key: 'code_challenge',
          at: authorization.record.at,
          evidence: [
            because(
              authorization,
              asked.has('nonce')
                ? 'has no code_challenge, and a nonce without the scope openid, so that no ID token returns it'
                : 'has neither code_challenge nor nonce',
              'code_challenge',
            ),
          ],
        })),
    }
  },
}
