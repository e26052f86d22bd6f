import type { Attempt } from '../../../state/entities/webhooks.ts'
import { type Rule, webhookGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'

export const redirects: Rule = {
  id: 'webhook/redirects',
  level: 'error',
  certainty: 'certain',
  title: 'The receiver redirects. The Hub does not follow redirects of a receiver.',
  fix: 'Set the final URL in the webhook: often https instead of http, or with a slash at the end.',
  exceptions: ['the response has no Location'],
  sources: [webhookGuide],
  check({ webhooks }) {
    const judged = webhooks.flatMap(({ webhook, attempts }) =>
      attempts
        .filter(({ status }) => status !== undefined)
        .map((attempt) => ({ webhook, attempt })),
    )
    return {
      judged: judged.length,
      sightings: judged
        .filter(({ attempt }) => isRedirect(attempt))
        .map(({ webhook, attempt }) => ({
          subject: { webhookId: webhook.id },
          key: 'location',
          at: attempt.at,
          evidence: [attempted(attempt, `was answered ${attempt.status}`)],
        })),
    }
  },
}

/** Without a Location there is nowhere to go: 304, or a status that was chosen by mistake. */
function isRedirect({ status = 0, response }: Attempt): boolean {
  const names = (response?.headers ?? []).map(([name]) => name.toLowerCase())
  return status >= 300 && status < 400 && names.includes('location')
}
