import { because } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const codeLeft: Rule = {
  id: 'sign-in/code-left',
  level: 'note',
  certainty: 'certain',
  title: 'The app received a code and never redeemed it: the user did not get in.',
  fix: 'Look at the callback of this sign-in: a lost cookie, another host or a wrong path ends it before the token request.',
  exceptions: ['the code is still valid', 'the app has never redeemed a code'],
  sources: [rfc(6749, '4.1.3')],
  check({ signIns, requests, state }) {
    const redeeming = new Set(
      signIns.filter(({ redeemed }) => redeemed !== undefined).map(({ clientId }) => clientId),
    )
    // An app that has redeemed before is known to be here, and not a page that is tried by hand.
    const judged = signIns.filter(
      ({ issued, clientId }) => issued !== undefined && redeeming.has(clientId),
    )
    return {
      judged: judged.length,
      sightings: judged.flatMap(({ clientId, issued, redemptions }) => {
        const code = issued && state.codes.get(issued.code)
        if (issued === undefined || code === undefined || redemptions.length > 0) return []
        const later = requests.find(
          (request) => request.clientId === clientId && request.record.at > code.expiresAt,
        )
        if (later === undefined) return []
        return {
          subject: { clientId },
          key: 'code',
          at: issued.by.record.at,
          evidence: [
            because(issued.by, 'sent the code to the app'),
            because(later, 'came after the code had expired'),
          ],
        }
      }),
    }
  },
}
