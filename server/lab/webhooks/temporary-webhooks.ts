import { createLeases } from '../../core/leases.ts'
import type { Deps } from '../../hub/deps.ts'
import type { Webhook } from '../../store/entities/webhook-entities.ts'
import { deleteWebhook } from '../../hub/webhooks/manage/management.ts'

/**
 * Webhooks that exist as long as a client follows their deliveries, so that those of killed programs are deleted. They
 * survive a reset or restore, because the client is still there.
 */
export interface TemporaryWebhooks {
  /** Makes a webhook temporary. */
  lease(webhook: Webhook): Webhook
  /** @returns a function for the follower to leave; the last one deletes the webhook */
  follow(id: string): () => void
  /** Deletes all temporary webhooks. */
  clear(): void
}

/** Those that a killed sandbox has left behind are deleted. */
export function createTemporaryWebhooks(deps: Pick<Deps, 'state' | 'bus'>): TemporaryWebhooks {
  const { state, bus } = deps
  const webhooks = new Map<string, Webhook>()
  const leases = createLeases(end)

  function forget(id: string): void {
    leases.forget(id)
    webhooks.delete(id)
  }
  function end(id: string): void {
    forget(id)
    const webhook = state.webhooks.get(id)
    if (webhook !== undefined) deleteWebhook(deps, webhook)
  }

  for (const { id, temporary } of state.webhooks.values()) {
    if (temporary === true) state.webhooks.delete(id)
  }
  bus.on('webhook.deleted', ({ data }) => forget(data.webhookId))
  bus.on('sandbox.reset', () => {
    for (const [id, webhook] of webhooks) {
      if (state.users.get(webhook.ownerId) === undefined) end(id)
      else state.webhooks.put(webhook)
    }
  })
  return {
    lease(given) {
      const webhook = state.webhooks.put({ ...given, temporary: true })
      webhooks.set(webhook.id, webhook)
      leases.begin(webhook.id)
      return webhook
    },
    follow: (id) => leases.follow(id),
    clear() {
      for (const id of webhooks.keys()) end(id)
    },
  }
}
