import { because } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'
import { mayBeRace, refreshesByToken } from './refreshes.ts'

export const refreshNotStored: Rule = {
  id: 'token/refresh-not-stored',
  level: 'error',
  certainty: 'certain',
  title: 'The app sends a refresh token that was already replaced: it did not keep the new one.',
  fix: 'Store refresh_token of each refresh together with access_token, in one write.',
  exceptions: ['the requests may have been sent at once'],
  sources: [rfc(6749, '6'), rfc(9700, '4.14.2')],
  check(evidence) {
    const groups = refreshesByToken(evidence)
    return {
      judged: groups.length,
      sightings: groups.flatMap((group) => {
        const first = group.find(({ record }) => record.status === 200)
        const second =
          first && group.find(({ record }) => record.receivedMs > first.record.receivedMs)
        // A race is another mistake: the client could not know the new token yet.
        if (first === undefined || second === undefined || mayBeRace(group)) return []
        return {
          subject: { clientId: second.clientId },
          key: 'refresh_token',
          // The response may have been lost on its way.
          ...(first.isFaulted && { level: 'note' as const }),
          at: second.record.at,
          evidence: [
            because(first, 'received a new refresh_token'),
            because(second, 'sent the old one again', 'refresh_token'),
          ],
        }
      }),
    }
  },
}
