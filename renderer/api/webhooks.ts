import { useMemo } from 'react'
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  WebhookItem,
  WebhookList,
} from '../../server/contract/control-webhooks.ts'
import { callApi, part } from './client.ts'
import { useRead, useWrite, wholeList } from './query.ts'

export function useWebhooks() {
  return useRead<WebhookList>('webhooks', '', { query: wholeList })
}

/** Webhooks by id, for naming them beside their deliveries. */
export function useWebhookNames(): ReadonlyMap<string, WebhookItem> {
  const { data } = useWebhooks()
  return useMemo(() => new Map(data?.items.map((webhook) => [webhook.id, webhook])), [data])
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
