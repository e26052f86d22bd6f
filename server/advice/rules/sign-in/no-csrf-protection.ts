import { because, isBoundByNonce } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const noCsrfProtection: Rule = {
  id: 'sign-in/no-csrf-protection',
  level: 'error',
  certainty: 'certain',
  title: 'Any page can sign your user in as another user, because the app accepts any code.',
  fix: 'Send a random state that is bound to the session of the browser and compare it in the callback, or use PKCE.',
  exceptions: ['the sign-in was never completed', 'a fault changed the sign-in'],
  sources: [rfc(6749, '10.12'), rfc(9700, '4.7')],
  check({ signIns }) {
    const redeemed = signIns.filter(({ redeemed: tokens }) => tokens !== undefined)
    return {
      judged: redeemed.length,
      sightings: redeemed
        .filter(
          (signIn) =>
            !signIn.asked.has('state') &&
            !signIn.asked.has('code_challenge') &&
            !isBoundByNonce(signIn),
        )
        .map(({ clientId, asked, authorization }) => ({
          subject: { clientId },
          key: 'state',
          at: authorization.record.at,
          evidence: [
            because(
              authorization,
              asked.has('nonce')
                ? 'has neither state nor code_challenge, and a nonce without the scope openid, so that no ID token returns it'
                : 'has neither state, code_challenge nor nonce',
              'state',
            ),
          ],
        })),
    }
  },
}
