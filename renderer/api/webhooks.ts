import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  WebhookItem,
} from '../../server/contract/control-webhooks.ts'
import { namesOfWebhooks } from '../../server/contract/webhook-name.ts'
import { sandboxNow } from '../lib/sandbox-clock.ts'
import { callApi, callUntil } from './client.ts'
import { useWholeList, useWrite } from './query.ts'
import { visibleControls } from '../lib/visible-controls.ts'

export function useWebhooks() {
  return useWholeList('GET webhooks')
}

/** Webhooks by id. */
export function useWebhookNames(): ReadonlyMap<string, WebhookItem> {
  const { data } = useWebhooks()
  return useMemo(() => new Map(data?.items.map((webhook) => [webhook.id, webhook])), [data])
}

/**
 * Display name of a webhook, see `namesOfWebhooks`; of a deleted one, or before they are loaded, the given name or the
 * start of its id.
 */
export function useWebhookName(): (id: string, otherwise?: string) => string {
  const { data } = useWebhooks()
  const names = useMemo(() => namesOfWebhooks(data?.items ?? []), [data])
  return (id, otherwise = id.slice(0, 8)) => visibleControls(names.get(id) ?? otherwise)
}

/**
 * Statistics of a webhook.
 * @param spanMs only deliveries created in the last so many milliseconds; `undefined`: all
 */
export function useWebhookStatistics(id: string, spanMs?: number) {
  return useQuery({
    // The live feed makes them stale together with the webhooks; the time of reading is not part of the key.
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
