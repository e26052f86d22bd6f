import type { Deps } from '../../events/deps.ts'
import type { Webhook } from '../../state/entities/webhooks.ts'

/** Lets the end of an attempt count for or against its webhook, and tells what follows from it. */
export function judgeWebhook(
  { state, bus }: Pick<Deps, 'state' | 'bus'>,
  webhookId: string,
  verdict: (webhook: Webhook) => Webhook,
): void {
  const before = state.webhooks.get(webhookId)
  if (before === undefined) return
  const after = verdict(before)
  if (after === before) return
  state.webhooks.put(after)
  if (after.status === before.status) return
  if (after.status === 'suspended-after-failure') {
    bus.emit('webhook.suspended', { webhookId, reason: after.suspendedBecause ?? '' })
  } else bus.emit('webhook.updated', { webhookId, changed: ['status'] })
}
