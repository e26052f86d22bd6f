import type { Deps } from '../../events/deps.ts'
import type { Webhook } from '../../state/entities/webhooks.ts'
import type { Publisher } from '../publish/publisher.ts'
import type { Quotas } from '../publish/quota.ts'
import type { Runner } from './runner.ts'

interface Parts {
  runner: Pick<Runner, 'cancelOpen' | 'pump'>
  publisher: Pick<Publisher, 'release'>
  quotas: Pick<Quotas, 'forget'>
  isHeld: (webhook: Webhook) => boolean
}

const whyCancelled: Record<Webhook['status'], string | undefined> = {
  enabled: undefined,
  disabled: 'the webhook was disabled',
  'suspended-after-failure': 'the webhook was suspended',
}

/** Brings the open deliveries of a webhook in line with what it is now. */
export function followWebhook(
  { state }: Pick<Deps, 'state'>,
  { runner, publisher, quotas, isHeld }: Parts,
  webhookId: string,
): void {
  const webhook = state.webhooks.get(webhookId)
  const because = webhook === undefined ? 'the webhook was deleted' : whyCancelled[webhook.status]
  if (because !== undefined) runner.cancelOpen(webhookId, because)
  else if (webhook !== undefined && !isHeld(webhook)) publisher.release(webhookId)
  if (webhook === undefined) quotas.forget(webhookId)
  runner.pump()
}
