import { tokenExchangeGrant } from '../../../contract/words/oauth-words.ts'
import { groupBy } from '../../../core/group-by.ts'
import { jsonOf } from '../../../inspect/details/json-body.ts'
import { because, endOf, type SeenRequest } from '../evidence.ts'
import { rfc, type Rule } from '../rule.ts'

const fewestExchanges = 5
/** Part of the lifetime within which a new token is needless. */
const early = 0.5

const perRequest: Rule = {
  id: 'exchange/per-request',
  level: 'note',
  certainty: 'certain',
  title: 'The app exchanges a new token for the same user although the last one is still valid.',
  fix: 'Keep the token of each user for expires_in seconds.',
  exceptions: ['the tokens are about to expire'],
  sources: [rfc(8693, '2.2.1')],
  watch({ requests }) {
    const exchanges = requests.filter(
      ({ path, record, form }) =>
        path === '/oauth/token' &&
        record.grantType === tokenExchangeGrant &&
        record.status === 200 &&
        form.has('subject_token'),
    )
    const groups = groupBy(exchanges, ({ clientId, form }) =>
      JSON.stringify([clientId, form.get('subject_token'), form.get('scope')]),
    )
    return {
      judged: exchanges.length,
      sightings: [...groups.values()].flatMap((group) => {
        const needless = group.slice(1).filter((next, index) => isNeedless(group[index], next))
        const [first, last] = [group[0], needless.at(-1)]
        if (first === undefined || last === undefined || needless.length < fewestExchanges - 1)
          return []
        return {
          subject: { clientId: last.clientId },
          key: 'subject_token',
          at: last.record.at,
          evidence: [
            because(first, 'received a token for this user'),
            because(last, `is exchange ${group.length} for the same user`),
          ],
        }
      }),
    }
  },
}

function isNeedless(before: SeenRequest | undefined, next: SeenRequest): boolean {
  const seconds = before && jsonOf(before.record.response.body)?.['expires_in']
  if (before === undefined || typeof seconds !== 'number') return false
  const agedMs = Math.max(
    next.record.at - before.record.endedAt,
    next.record.receivedMs - endOf(before),
  )
  return agedMs < seconds * 1000 * early
}

export const exchangeRules: readonly Rule[] = [perRequest]
