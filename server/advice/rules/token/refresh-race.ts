import { because } from '../../evidence.ts'
import { rfc, type Rule } from '../../rule.ts'
import { racesIn, refreshesByToken } from './refreshes.ts'

export const refreshRace: Rule = {
  id: 'token/refresh-race',
  level: 'error',
  certainty: 'certain',
  title:
    'Two requests refresh the same token at once. The Hub takes the second one for theft and revokes the sign-in.',
  fix: 'Let one refresh per user be in flight: share its promise in a process, and use a lock between processes.',
  exceptions: [
    'the first response may have been lost',
    'an app repeats a refused refresh',
    'the second request began after the first response',
  ],
  sources: [rfc(9700, '4.14.2')],
  check(evidence) {
    const groups = refreshesByToken(evidence)
    return {
      judged: groups.length,
      sightings: groups.flatMap(racesIn).map(({ first, second }) => ({
        subject: { clientId: second.clientId },
        key: 'refresh_token',
        at: second.record.at,
        evidence: [
          because(first, 'refreshed the token', 'refresh_token'),
          because(
            second,
            'sent the same refresh_token before the first request was answered',
            'refresh_token',
          ),
        ],
      })),
    }
  },
}
