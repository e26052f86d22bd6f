import { type Rule, webhookSecretGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'
import { secretParameter } from './secret-parameter.ts'

export const webhookSecretInUrl: Rule = {
  id: 'webhook/secret-in-url',
  level: 'note',
  certainty: 'certain',
  title: 'The secret of the webhook is in its URL, which proxies and servers write to their logs.',
  fix: 'Set the secret in the webhook, and compare it with the header X-Webhook-Secret.',
  exceptions: ['the parameter is no secret'],
  sources: [webhookSecretGuide],
  check({ webhooks }) {
    const judged = webhooks.filter(({ webhook }) => webhook.temporary !== true)
    return {
      judged: judged.length,
      sightings: judged.flatMap(({ webhook, attempts }) => {
        const name = secretParameter(webhook.url ?? '')
        if (name === undefined) return []
        return {
          subject: { webhookId: webhook.id },
          key: name,
          at: attempts[0]?.at ?? webhook.createdAt,
          evidence: attempts
            .slice(0, 1)
            .map((attempt) => attempted(attempt, `had ${name} in the URL`)),
        }
      }),
    }
  },
}
