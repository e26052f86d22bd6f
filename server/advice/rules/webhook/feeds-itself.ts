import { chainOf } from '../../../webhooks/publish/causes.ts'
import { type Rule, webhookGuide } from '../../rule.ts'
import { attempted } from './attempts.ts'

/** Rounds after which nobody meant it. */
const fewest = 3

export const feedsItself: Rule = {
  id: 'webhook/feeds-itself',
  level: 'warning',
  certainty: 'likely',
  title: 'The receiver seems to react to its own changes: each one sends it another event.',
  fix: 'Ignore events that the user of the receiver has caused, or write to a repo that the webhook does not watch.',
  exceptions: [],
  sources: [webhookGuide],
  check({ webhooks, state }) {
    const caused = webhooks.flatMap(({ webhook, deliveries }) =>
      deliveries
        .filter(({ delivery }) => delivery.causedBy !== undefined)
        .map(({ delivery }) => ({ webhook, delivery })),
    )
    return {
      judged: caused.length,
      sightings: caused.flatMap(({ webhook, delivery }) => {
        const rounds = chainOf({ state }, delivery.causedBy).filter(
          ({ webhookId }) => webhookId === webhook.id,
        )
        // The sandbox holds the next delivery, so that it has no attempt.
        const cause = rounds.at(-1)
        const attempt = cause && state.attempts.group('delivery', cause.id).at(-1)
        if (rounds.length < fewest || attempt === undefined) return []
        return {
          subject: { webhookId: webhook.id },
          key: delivery.scope,
          at: delivery.createdAt,
          evidence: [attempted(attempt, `is round ${rounds.length} of the webhook through itself`)],
        }
      }),
    }
  },
}
