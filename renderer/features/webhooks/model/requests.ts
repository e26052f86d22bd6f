import type { WebhookItem } from '../../../../server/contract/control-webhooks.ts'
import { callApi } from '../../../api/client.ts'
import { useWrite } from '../../../api/query.ts'

export function useDeleteWebhook() {
  return useWrite({
    call: ({ id }: WebhookItem) => callApi('DELETE webhooks/:id', { params: { id } }),
    changes: ['webhooks', 'deliveries'],
    done: 'Webhook deleted',
    failed: 'Could not delete the webhook',
  })
}

/** Sends again the deliveries that failed or were cancelled since then. */
export function useRecover() {
  return useWrite({
    call: ({ id, since }: { id: string; since: string }) =>
      callApi('POST webhooks/:id/recover', { params: { id }, body: { since } }),
    changes: ['webhooks', 'deliveries'],
    failed: 'Could not recover deliveries',
  })
}
