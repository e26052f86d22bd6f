import { type Rule, webhookSecretGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'
import { secretParameter } from './secret-parameter.ts'

export const noSecret: Rule = {
  id: 'webhook/no-secret',
  level: 'warning',
  certainty: 'certain',
  title: 'The webhook has no secret, so anybody who knows the URL can call the receiver.',
  fix: 'Set a secret, and compare it with the header X-Webhook-Secret in constant time.',
  exceptions: ['the webhook is temporary', 'the secret is in the URL'],
  sources: [webhookSecretGuide],
  check({ webhooks }) {
    // Those of "listen" live only as long as their command.
    const judged = webhooks.filter(({ webhook }) => webhook.temporary !== true)
    return {
      judged: judged.length,
      sightings: judged
        .filter(
          ({ webhook: { secret, url = '' } }) =>
            secret === undefined && secretParameter(url) === undefined,
        )
        .map(({ webhook, attempts }) => ({
          subject: { webhookId: webhook.id },
          key: 'secret',
          at: attempts[0]?.at ?? webhook.createdAt,
          evidence: attempts.slice(0, 1).map((attempt) => attempted(attempt, 'had no secret')),
        })),
    }
  },
}
