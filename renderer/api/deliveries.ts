import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type {
  AttemptItem,
  DeliveryItem,
  DeliveryList,
} from '../../server/contract/control-deliveries.ts'
import { callApi, part } from './client.ts'
import { deliveryListKey } from './delivery-cache.ts'
import { toPage } from './delivery-rows.ts'
import { useRead, useWrite } from './query.ts'

/** The list ends here, as does what the sandbox keeps by default. */
const mostRows = 20_000
const pageSize = 1000

/**
 * Every delivery, newest first, page after page in the background: the list can then be scrolled and
 * filtered without waiting.
 */
export function useDeliveryList(skipped: boolean, enabled = true) {
  const query = useInfiniteQuery({
    queryKey: deliveryListKey(skipped),
    queryFn: async ({ pageParam, signal }) =>
      toPage(
        await callApi<DeliveryList>('deliveries', {
          query: {
            view: 'rows',
            cursor: pageParam,
            limit: pageSize,
            ...(skipped && { state: 'skipped' }),
          },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last, pages) =>
      pages.length * pageSize < mostRows ? last.nextCursor : undefined,
    enabled,
  })
  const { hasNextPage, isFetching, error, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && !error) void fetchNextPage({ cancelRefetch: false })
  }, [hasNextPage, isFetching, error, fetchNextPage])
  return query
}

export function useDelivery(id: string) {
  return useRead<DeliveryItem>('deliveries', part(id))
}

export function useReplay() {
  return useWrite<{ id: string; payload?: unknown }, AttemptItem>({
    call: ({ id, payload }) =>
      callApi(`deliveries/${part(id)}/replay`, {
        method: 'POST',
        body: payload === undefined ? {} : { payload },
      }),
    changes: ['deliveries'],
    failed: 'The replay failed',
  })
}

export function useCancelDelivery() {
  return useWrite<string>({
    call: (id) => callApi(`deliveries/${part(id)}/cancel`, { method: 'POST', body: {} }),
    changes: ['deliveries'],
    done: 'Retries cancelled',
    failed: 'The delivery could not be cancelled',
  })
}
