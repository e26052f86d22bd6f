import type { Recovered, WebhookItem } from '../../../server/contract/control-webhooks.ts'
import { callApi, part } from '../../api/client.ts'
import { useWrite } from '../../api/query.ts'

export function useDeleteWebhook() {
  return useWrite<WebhookItem>({
    call: ({ id }) => callApi(`webhooks/${part(id)}`, { method: 'DELETE' }),
    changes: ['webhooks', 'deliveries'],
    done: 'Webhook deleted',
    failed: 'The webhook could not be deleted',
  })
}

/** Sends what failed or was cancelled since then again. */
export function useRecover() {
  return useWrite<{ id: string; since: string }, Recovered>({
    call: ({ id, since }) =>
      callApi(`webhooks/${part(id)}/recover`, { method: 'POST', body: { since } }),
    changes: ['webhooks', 'deliveries'],
    failed: 'Nothing could be recovered',
  })
}
