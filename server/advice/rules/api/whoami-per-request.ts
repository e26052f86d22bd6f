import { groupBy } from '../../../core/group-by.ts'
import { because, findBurst } from '../../evidence.ts'
import type { Rule } from '../../rule.ts'

const fewest = 20
const minuteMs = 60_000
const paths = new Set(['/api/whoami-v2', '/oauth/userinfo'])

export const whoamiPerRequest: Rule = {
  id: 'api/whoami-per-request',
  level: 'note',
  certainty: 'certain',
  title: 'The app asks the Hub who the user is for each of its own requests. The Hub limits that.',
  fix: 'Keep the user in the session of the app after the sign-in, or cache the response for some minutes.',
  exceptions: ['the requests take longer than a minute'],
  sources: [
    {
      name: 'Rate limits of the Hub',
      section: 'Rate limits',
      url: 'https://huggingface.co/docs/hub/rate-limits',
    },
  ],
  check({ requests }) {
    const calls = requests.filter(({ path, bearer }) => paths.has(path) && bearer !== undefined)
    return {
      judged: calls.length,
      sightings: [...groupBy(calls, ({ bearer }) => bearer).values()].flatMap((group) => {
        const burst = findBurst(group, fewest, minuteMs)
        const [first, last] = [burst?.[0], burst?.at(-1)]
        if (first === undefined || last === undefined) return []
        return {
          subject: { clientId: last.clientId },
          key: last.path,
          at: last.record.at,
          evidence: [
            because(first, 'asked for the user of the token'),
            because(last, `is request ${fewest} for the same user within a minute`),
          ],
        }
      }),
    }
  },
}
