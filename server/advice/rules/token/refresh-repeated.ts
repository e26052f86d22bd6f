import { because } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'
import { closeRepeatsIn, racesIn, refreshesByToken } from './refreshes.ts'

export const refreshRepeated: Rule = {
  id: 'token/refresh-repeated',
  level: 'warning',
  certainty: 'likely',
  title:
    'The app sends a refresh token again right after it was replaced: two requests refreshed at once, or the new token was not kept.',
  fix: 'Let one refresh per user be in flight, and store the new refresh_token before the next one begins.',
  exceptions: ['the requests overlap', 'the first response may have been lost'],
  sources: [rfc(9700, '4.14.2'), rfc(6749, '6')],
  check(evidence) {
    const groups = refreshesByToken(evidence)
    return {
      judged: groups.length,
      sightings: groups.flatMap((group) => {
        const [pair] = racesIn(group).length > 0 ? [] : closeRepeatsIn(group)
        if (pair === undefined) return []
        return {
          subject: { clientId: pair.second.clientId },
          key: 'refresh_token',
          at: pair.second.record.at,
          evidence: [
            because(pair.first, 'received a new refresh_token'),
            because(pair.second, 'sent the old one less than 250 ms later', 'refresh_token'),
          ],
        }
      }),
    }
  },
}
