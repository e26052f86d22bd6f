import { useMemo } from 'react'
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  WebhookItem,
} from '../../server/contract/control-webhooks.ts'
import { callApi } from './client.ts'
import { useWholeList, useWrite } from './query.ts'

export function useWebhooks() {
  return useWholeList('GET webhooks')
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
  return useWrite({
    call: (body: CreateWebhookRequest) => callApi('POST webhooks', { body }),
    changes: ['webhooks'],
    done: 'Webhook created',
  })
}

export function useUpdateWebhook() {
  return useWrite({
    call: ({ id, change }: { id: string; change: UpdateWebhookRequest }) =>
      callApi('PATCH webhooks/:id', { params: { id }, body: change }),
    changes: ['webhooks', 'deliveries'],
    failed: 'The webhook could not be changed',
  })
}
