import { type Rule, webhookSecretGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'

/** Secrets of tests, such as `secret`, which are in responses by chance: short ones, and single words. */
const common = /^(?:.{0,5}|[a-z]{1,12})$/is

export const echoesSecret: Rule = {
  id: 'webhook/echoes-secret',
  level: 'error',
  certainty: 'certain',
  title: 'The receiver sends the secret of the webhook back in its response.',
  fix: 'Do not copy headers of the request into the response.',
  exceptions: ['the secret is so short that it is there by chance', 'the secret is a common word'],
  sources: [webhookSecretGuide],
  check({ webhooks }) {
    const judged = webhooks.flatMap(({ webhook, attempts }) =>
      attempts.flatMap((attempt) => {
        const { secret = '' } = webhook
        if (common.test(secret) || attempt.response === undefined) return []
        return [{ webhook, attempt, response: attempt.response, secret }]
      }),
    )
    return {
      judged: judged.length,
      sightings: judged
        .filter(({ response: { body, headers }, secret }) =>
          [body, ...headers.map(([, value]) => value)].some((text) => text.includes(secret)),
        )
        .map(({ webhook, attempt }) => ({
          subject: { webhookId: webhook.id },
          key: 'secret',
          at: attempt.at,
          evidence: [attempted(attempt, 'has the secret in its response')],
        })),
    }
  },
}
