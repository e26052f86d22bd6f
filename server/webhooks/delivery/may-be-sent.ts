import { canRead } from '../../hub/access/rights.ts'
import type { Delivery, Webhook } from '../../state/entities/webhooks.ts'
import type { State } from '../../state/state.ts'

/** Why a delivery can never be sent to its webhook as that is now, as a sentence. */
export function whyNeverSent(
  state: State,
  delivery: Delivery,
  webhook: Webhook | undefined,
): string | undefined {
  if (webhook === undefined) return 'the webhook was deleted'
  if (webhook.status === 'disabled') return 'the webhook is disabled'
  if (webhook.status === 'suspended-after-failure') return 'the webhook is suspended'
  const owner = state.users.get(webhook.ownerId)
  if (owner === undefined) return 'the owner of the webhook no longer exists'
  // A repository that is gone was looked at when the event was matched.
  const repo = state.repos.get(delivery.repoId)
  return repo === undefined || canRead({ state }, owner, repo)
    ? undefined
    : 'the owner of the webhook can no longer read the repository'
}
