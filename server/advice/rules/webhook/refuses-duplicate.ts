import type { Attempt } from '../../../state/entities/webhooks.ts'
import type { SeenDelivery } from '../../evidence.ts'
import { type Rule, webhookGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'

/** Refusals with another reason: a changed secret, a path that has moved, a rate limit. */
const otherReasons = new Set([401, 403, 404, 405, 410, 429])

export const refusesDuplicate: Rule = {
  id: 'webhook/refuses-duplicate',
  level: 'error',
  certainty: 'certain',
  title:
    'The receiver refuses a delivery that it has accepted before. The Hub counts that as a failure.',
  fix: 'Respond with 200 to a Webhook-Id that was handled before.',
  exceptions: [
    'no other delivery shows that the receiver works',
    'the replay has an edited payload',
    'the secret has changed',
    'the receiver has failed',
    'the receiver limits requests',
    'the path of the receiver has changed',
  ],
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
        .map(({ attempts }) => ({
          webhook,
          attempts,
          others: deliveries.filter((other) => other.attempts !== attempts),
        })),
    )
    return {
      judged: repeated.length,
      sightings: repeated.flatMap(({ webhook, attempts, others }) => {
        const first =
          attempts.find(({ outcome }) => outcome === 'succeeded') ??
          attempts.find((attempt) => isHandledLate(attempt, others))
        const refused = first && attempts.find((attempt) => isRefusedAfter(first, attempt))
        if (first === undefined || refused === undefined) return []
        return {
          subject: { webhookId: webhook.id },
          key: 'webhook-id',
          at: refused.at,
          evidence: [
            attempted(
              first,
              first.status === undefined
                ? 'was not answered in time'
                : `was answered ${first.status}`,
            ),
            attempted(refused, `repeated it and was answered ${refused.status}`),
          ],
        }
      }),
    }
  },
}

/** Without a response in time, the receiver may have done the work: it accepts other deliveries at the same time. */
function isHandledLate({ error, at }: Attempt, others: readonly SeenDelivery[]): boolean {
  return (
    error?.class === 'timeout' &&
    others.some(({ attempts }) =>
      attempts.some((other) => other.outcome === 'succeeded' && other.at >= at),
    )
  )
}

function isRefusedAfter(first: Attempt, { number, status = 0 }: Attempt): boolean {
  return number > first.number && status >= 400 && status < 500 && !otherReasons.has(status)
}
