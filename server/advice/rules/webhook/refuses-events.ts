import type { SeenDelivery } from '../../evidence.ts'
import { groupBy } from '../../../core/group-by.ts'
import { type Rule, webhookGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'

const fewest = 2
/** Refusals with another reason: a wrong secret, a missing path, a rate limit. */
const otherReasons = new Set([401, 403, 404, 429])

export const refusesEvents: Rule = {
  id: 'webhook/refuses-events',
  level: 'note',
  certainty: 'certain',
  title:
    'The receiver refuses every event of one kind. The Hub repeats them, counts them as failures and suspends the webhook.',
  fix: 'Watch fewer domains in the webhook, or respond with 204 to events that the receiver does not need.',
  exceptions: ['the receiver refuses everything', 'the receiver fails'],
  sources: [webhookGuide],
  check({ webhooks }) {
    const judged = webhooks.map(({ webhook, deliveries }) => {
      // Others are queued, or held since the webhook was suspended for these refusals.
      const sent = deliveries.filter(({ attempts }) => attempts.length > 0)
      return {
        webhook,
        scopes: [...groupBy(sent, ({ delivery }) => delivery.scope)],
        acceptsOthers: sent.some(isAccepted),
      }
    })
    return {
      judged: judged.flatMap(({ scopes }) => scopes).length,
      sightings: judged.flatMap(({ webhook, scopes, acceptsOthers }) =>
        scopes
          .filter(([, group]) => acceptsOthers && group.length >= fewest && group.every(isRefused))
          .map(([scope, group]) => {
            const attempts = group.flatMap((delivery) => delivery.attempts.slice(-1))
            return {
              subject: { webhookId: webhook.id },
              key: scope,
              at: attempts.at(-1)?.at ?? webhook.createdAt,
              evidence: attempts
                .slice(-fewest)
                .map((attempt) => attempted(attempt, `was answered ${attempt.status}`)),
            }
          }),
      ),
    }
  },
}

function isAccepted({ attempts }: SeenDelivery): boolean {
  return attempts.some(({ outcome }) => outcome === 'succeeded')
}

function isRefused({ attempts }: SeenDelivery): boolean {
  return attempts.every(
    ({ status = 0 }) => status >= 400 && status < 500 && !otherReasons.has(status),
  )
}
