import { createLeases } from '../../core/leases.ts'
import type { Deps } from '../../events/deps.ts'
import type { State } from '../../state/state.ts'
import type { Webhook } from '../../state/entities/webhooks.ts'
import { deleteWebhook } from '../../webhooks/manage/management.ts'

/**
 * Webhooks that live as long as somebody follows their deliveries: what a killed program has left behind must not be
 * called for ever. A reset or restore leaves them, since who follows is still there.
 */
export interface TemporaryWebhooks {
  /** Makes a webhook temporary. */
  lease(webhook: Webhook): Webhook
  /** @returns to be called when the follower has gone; with the last of them the webhook goes */
  follow(id: string): () => void
  /** To be called when the state was replaced: puts those that are followed into the new one, unless their owner is gone. */
  putBack(): void
  /** Ends all of them. */
  clear(): void
}

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

  bus.on('webhook.deleted', ({ data }) => forget(data.webhookId))
  return {
    lease(given) {
      const webhook = state.webhooks.put({ ...given, temporary: true })
      webhooks.set(webhook.id, webhook)
      leases.begin(webhook.id)
      return webhook
    },
    follow: (id) => leases.follow(id),
    putBack() {
      for (const [id, webhook] of webhooks) {
        if (state.users.get(webhook.ownerId) === undefined) end(id)
        else state.webhooks.put(webhook)
      }
    },
    clear() {
      for (const id of webhooks.keys()) end(id)
    },
  }
}

/** Removes what a sandbox that was killed has left: nobody follows it any more. */
export function forgetTemporaryWebhooks({ webhooks }: Pick<State, 'webhooks'>): void {
  for (const { id, temporary } of webhooks.values()) {
    if (temporary === true) webhooks.delete(id)
  }
}
