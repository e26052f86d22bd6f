import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  WebhookItem,
} from '../../server/contract/control-webhooks.ts'
import { sandboxNow } from '../lib/sandbox-clock.ts'
import { callApi, callUntil } from './client.ts'
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

/**
 * How a webhook has fared.
 * @param spanMs of the deliveries made in so many milliseconds before now; `undefined`: of all that are kept
 */
export function useWebhookStatistics(id: string, spanMs?: number) {
  return useQuery({
    // What is made stale with the webhooks: see the live feed. When it was read is no part of what it is.
    queryKey: ['webhooks', `${id}/statistics`, { spanMs }],
    queryFn: ({ signal }) =>
      callUntil(signal)('GET webhooks/:id/statistics', {
        params: { id },
        query: spanMs === undefined ? {} : { since: new Date(sandboxNow() - spanMs).toISOString() },
      }),
    placeholderData: keepPreviousData,
  })
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
    failed: 'Could not change the webhook',
  })
}
