import type { Deps } from '../events/deps.ts'
import type { State } from '../state/state.ts'
import type { Webhook } from '../state/entities/webhooks.ts'
import { deleteWebhook } from '../webhooks/management.ts'

/** How long a temporary webhook waits for the first who follows its deliveries, in real time. */
const leaseMs = 10_000

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

interface Lease {
  webhook: Webhook
  followers: number
  timer?: NodeJS.Timeout
}

export function createTemporaryWebhooks(deps: Pick<Deps, 'state' | 'bus'>): TemporaryWebhooks {
  const { state, bus } = deps
  const leases = new Map<string, Lease>()

  function end(id: string): void {
    clearTimeout(leases.get(id)?.timer)
    leases.delete(id)
    const webhook = state.webhooks.get(id)
    if (webhook !== undefined) deleteWebhook(deps, webhook)
  }

  bus.on('webhook.deleted', ({ data }) => {
    clearTimeout(leases.get(data.webhookId)?.timer)
    leases.delete(data.webhookId)
  })
  return {
    lease(given) {
      const webhook = state.webhooks.put({ ...given, temporary: true })
      const timer = setTimeout(end, leaseMs, webhook.id).unref()
      leases.set(webhook.id, { webhook, followers: 0, timer })
      return webhook
    },
    follow(id) {
      const lease = leases.get(id)
      if (lease === undefined) return () => {}
      clearTimeout(lease.timer)
      lease.followers += 1
      return () => {
        lease.followers -= 1
        if (lease.followers === 0 && leases.get(id) === lease) end(id)
      }
    },
    putBack() {
      for (const [id, { webhook }] of leases) {
        if (state.users.get(webhook.ownerId) === undefined) end(id)
        else state.webhooks.put(webhook)
      }
    },
    clear() {
      for (const id of leases.keys()) end(id)
    },
  }
}

/** Removes what a sandbox that was killed has left: nobody follows it any more. */
export function forgetTemporaryWebhooks({ webhooks }: Pick<State, 'webhooks'>): void {
  for (const { id, temporary } of webhooks.values()) {
    if (temporary === true) webhooks.delete(id)
  }
}
