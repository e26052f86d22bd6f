import { because } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const codeRedeemedTwice: Rule = {
  id: 'sign-in/code-redeemed-twice',
  level: 'error',
  certainty: 'certain',
  title:
    'The app sends an authorization code again. The Hub then revokes every token of the sign-in.',
  fix: 'Handle the callback once: React strict mode, a reload and a second tab run it again. Redirect away from it at once.',
  sources: [rfc(6749, '4.1.2'), rfc(6749, '10.5')],
  check({ signIns }) {
    const redeemed = signIns.filter((signIn) => signIn.redeemed !== undefined)
    return {
      judged: redeemed.length,
      sightings: redeemed.flatMap(({ clientId, redemptions, redeemed: first }) => {
        if (first === undefined) return []
        const code = first.form.get('code')
        return redemptions
          .filter((other) => other !== first && other.form.get('code') === code)
          .map((other) => ({
            subject: { clientId },
            key: 'code',
            at: other.record.at,
            evidence: [
              because(first, 'redeemed the code', 'code'),
              because(other, 'sent the same code again', 'code'),
            ],
          }))
      }),
    }
  },
}
