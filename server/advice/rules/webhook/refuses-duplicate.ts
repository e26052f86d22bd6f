import { type Rule, webhookGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'

/** Refusals with another reason: a changed secret, a rate limit. */
const otherReasons = new Set([401, 403, 429])

export const refusesDuplicate: Rule = {
  id: 'webhook/refuses-duplicate',
  level: 'error',
  certainty: 'certain',
  title:
    'The receiver refuses a delivery that it has accepted before. The Hub counts that as a failure.',
  fix: 'Respond with 200 to a Webhook-Id that was handled before.',
  sources: [
    webhookGuide,
    {
      name: 'Standard Webhooks',
      section: 'Idempotency',
      url: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
    },
  ],
  check({ webhooks }) {
    const repeated = webhooks.flatMap(({ webhook, deliveries }) =>
      deliveries
        .filter(({ attempts }) => attempts.length > 1)
        .map(({ attempts }) => ({ webhook, attempts })),
    )
    return {
      judged: repeated.length,
      sightings: repeated.flatMap(({ webhook, attempts }) => {
        const accepted = attempts.find(({ outcome }) => outcome === 'succeeded')
        const refused =
          accepted &&
          attempts.find(
            ({ number, status = 0 }) =>
              number > accepted.number &&
              status >= 400 &&
              status < 500 &&
              !otherReasons.has(status),
          )
        if (accepted === undefined || refused === undefined) return []
        return {
          subject: { webhookId: webhook.id },
          key: 'webhook-id',
          at: refused.at,
          evidence: [
            attempted(accepted, `was answered ${accepted.status}`),
            attempted(refused, `repeated it and was answered ${refused.status}`),
          ],
        }
      }),
    }
  },
}
