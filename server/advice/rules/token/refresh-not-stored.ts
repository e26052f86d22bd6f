import { because, overlaps } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'
import { refreshesByToken } from './refreshes.ts'

export const refreshNotStored: Rule = {
  id: 'token/refresh-not-stored',
  level: 'error',
  certainty: 'certain',
  title: 'The app sends a refresh token that was already replaced: it did not keep the new one.',
  fix: 'Store refresh_token of each refresh together with access_token, in one write.',
  sources: [rfc(6749, '6'), rfc(9700, '4.14.2')],
  check(evidence) {
    const groups = refreshesByToken(evidence)
    return {
      judged: groups.length,
      sightings: groups.flatMap((group) => {
        const first = group.find(({ record }) => record.status === 200)
        const second = first && group.find((other) => other !== first && isLater(first, other))
        if (first === undefined || second === undefined) return []
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

function isLater(
  first: Parameters<typeof overlaps>[0],
  other: Parameters<typeof overlaps>[1],
): boolean {
  return other.record.receivedMs > first.record.receivedMs && !overlaps(first, other)
}
