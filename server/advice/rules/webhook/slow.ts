import { type Rule, webhookGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'

const longestMs = 5000
/** A receiver that has just started may be slow once. */
const fewest = 2

export const slow: Rule = {
  id: 'webhook/slow',
  level: 'warning',
  certainty: 'certain',
  title:
    'The receiver takes longer than 5 seconds. The Hub may end the request before the response.',
  fix: 'Respond with 202 at once, and do the work afterwards.',
  sources: [webhookGuide],
  check({ webhooks }) {
    const judged = webhooks.map(({ webhook, attempts }) => ({
      webhook,
      answered: attempts.filter(({ outcome }) => outcome === 'succeeded'),
    }))
    return {
      judged: judged.filter(({ answered }) => answered.length > 0).length,
      sightings: judged.flatMap(({ webhook, answered }) => {
        const late = answered.filter(({ durationMs = 0 }) => durationMs > longestMs)
        if (late.length < fewest) return []
        return late.map((attempt) => ({
          subject: { webhookId: webhook.id },
          key: 'duration',
          at: attempt.at,
          evidence: [
            attempted(attempt, `took ${Math.round((attempt.durationMs ?? 0) / 100) / 10} s`),
          ],
        }))
      }),
    }
  },
}
