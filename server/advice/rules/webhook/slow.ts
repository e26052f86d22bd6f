import type { Attempt } from '../../../state/entities/webhooks.ts'
import { type Rule, webhookGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'

const longestMs = 5000

export const slow: Rule = {
  id: 'webhook/slow',
  level: 'warning',
  certainty: 'certain',
  title:
    'The receiver takes longer than 5 seconds. The Hub may end the request before the response.',
  fix: 'Respond with 202 at once, and do the work afterwards.',
  exceptions: ['the receiver has just started', 'a fault rule delayed the requests'],
  sources: [webhookGuide],
  check({ webhooks }) {
    const judged = webhooks.map(({ webhook, attempts }) => ({
      webhook,
      answered: attempts
        .filter(({ outcome }) => outcome === 'succeeded')
        .toSorted((one, other) => one.at - other.at),
    }))
    return {
      judged: judged.filter(({ answered }) => answered.length > 0).length,
      sightings: judged.flatMap(({ webhook, answered }) => {
        const late = answered.filter((attempt) => tookMs(attempt) > longestMs)
        // A receiver that has just started may be slow once.
        if (late.length === 1 && late[0] === answered[0]) return []
        return late.map((attempt) => ({
          subject: { webhookId: webhook.id },
          key: 'duration',
          at: attempt.at,
          evidence: [attempted(attempt, `took ${Math.round(tookMs(attempt) / 100) / 10} s`)],
        }))
      }),
    }
  },
}

/** Time of the receiver: a fault rule may have delayed the request. */
function tookMs({ durationMs = 0, timings }: Attempt): number {
  return durationMs - (timings?.faultMs ?? 0)
}
