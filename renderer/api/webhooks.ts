import { useMemo } from 'react'
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  WebhookItem,
} from '../../server/contract/control-webhooks.ts'
import { callApi, part } from './client.ts'
import { useWholeList, useWrite } from './query.ts'

export function useWebhooks() {
  return useWholeList<WebhookItem>('webhooks')
}

/** Webhooks by id, for naming them beside their deliveries. */
export function useWebhookNames(): ReadonlyMap<string, WebhookItem> {
  const { data } = useWebhooks()
  return useMemo(() => new Map(data?.items.map((webhook) => [webhook.id, webhook])), [data])
}

/** What people call a webhook: its name, else what it calls; the id of one that is gone. */
export function useWebhookName(): (id: string) => string {
  const webhooks = useWebhookNames()
  return (id) => {
    const webhook = webhooks.get(id)
    return webhook?.name ?? webhook?.target ?? id.slice(0, 8)
  }
}

export function useCreateWebhook() {
  return useWrite<CreateWebhookRequest, WebhookItem>({
    call: (body) => callApi('webhooks', { method: 'POST', body }),
    changes: ['webhooks'],
    done: 'Webhook created',
  })
}

export function useUpdateWebhook() {
  return useWrite<{ id: string; change: UpdateWebhookRequest }, WebhookItem>({
    call: ({ id, change }) => callApi(`webhooks/${part(id)}`, { method: 'PATCH', body: change }),
    changes: ['webhooks', 'deliveries'],
    failed: 'The webhook could not be changed',
  })
}
