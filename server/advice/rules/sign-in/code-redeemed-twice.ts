import { groupBy } from '../../../core/group-by.ts'
import { because, type SeenRequest } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'

export const codeRedeemedTwice: Rule = {
  id: 'sign-in/code-redeemed-twice',
  level: 'error',
  certainty: 'certain',
  title:
    'The app sends an authorization code again. The Hub then revokes every token of the sign-in.',
  fix: 'Handle the callback once: React strict mode, a reload and a second tab run it again. Redirect away from it at once.',
  exceptions: [
    'the Hub was out of order and never saw the first request',
    'the first request was refused for another reason',
    'the developer sent the request again by hand',
  ],
  sources: [rfc(6749, '4.1.2'), rfc(6749, '10.5')],
  check({ requests, state }) {
    // Not by sign-in: those that a fault changed are no evidence of other rules.
    const redemptions = requests.filter(
      ({ path, record, form }) =>
        path === '/oauth/token' &&
        record.grantType === 'authorization_code' &&
        state.codes.get(form.get('code') ?? '')?.usedAt !== undefined,
    )
    const groups = groupBy(redemptions, ({ form }) => form.get('code') ?? undefined)
    return {
      judged: groups.size,
      sightings: [...groups.values()].flatMap((group) => {
        const first = group.find(({ record }) => record.status === 200) ?? group.find(isLost)
        if (first === undefined) return []
        const later = group.slice(group.indexOf(first) + 1)
        return later.filter(isRefused).map((other) => ({
          subject: { clientId: other.clientId ?? first.clientId },
          key: 'code',
          // Without the response, an app cannot know that the code was redeemed.
          ...(isLost(first) && { level: 'note' as const }),
          at: other.record.at,
          evidence: [
            because(first, isLost(first) ? 'got no tokens' : 'redeemed the code', 'code'),
            because(other, 'sent the same code again', 'code'),
          ],
        }))
      }),
    }
  },
}

function isRefused({ record }: SeenRequest): boolean {
  return record.error === 'invalid_grant'
}

/** The Hub may have redeemed the code all the same. */
function isLost({ record, isFaulted }: SeenRequest): boolean {
  return isFaulted || record.status === 0 || record.status >= 500
}
