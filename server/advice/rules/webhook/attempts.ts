import type { Attempt, Webhook } from '../../../state/entities/webhooks.ts'
import type { Evidence } from '../../evidence.ts'
import type { EvidenceItem } from '../../rule.ts'

/** A webhook with a URL, and its attempts that have ended, by delivery and in order. */
export interface SeenWebhook {
  readonly webhook: Webhook
  readonly deliveries: readonly (readonly Attempt[])[]
  readonly attempts: readonly Attempt[]
}

/** Webhooks that were called. */
export function calledWebhooks({ state }: Evidence): SeenWebhook[] {
  return [...state.webhooks.values()].flatMap((webhook) => {
    if (webhook.url === undefined) return []
    const deliveries = state.deliveries
      .group('webhook', webhook.id)
      .map(({ id }) =>
        state.attempts.group('delivery', id).filter(({ outcome }) => outcome !== undefined),
      )
    const attempts = deliveries.flat()
    return attempts.length === 0 ? [] : [{ webhook, deliveries, attempts }]
  })
}

/** Describes the role of an attempt in a mistake. */
export function attempted({ id }: Attempt, note: string): EvidenceItem {
  return { kind: 'attempt', id, note }
}
