import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ReplayManyRequest } from '../../server/contract/control-deliveries.ts'
import { sandboxNow } from '../lib/sandbox-clock.ts'
import { callApi, callUntil } from './client.ts'
import { deliveryListKey, type DeliveryListName } from './delivery-cache.ts'
import { toPage } from './delivery-rows.ts'
import { useRead, useWrite } from './query.ts'

/** Longest list, the same as the number the sandbox keeps by default. */
const mostRows = 20_000
const pageSize = 1000

/**
 * Reads every delivery, newest first, page after page in the background, so that scrolling and filtering need no
 * waiting.
 */
export function useDeliveryList(name: DeliveryListName, enabled = true) {
  const query = useInfiniteQuery({
    queryKey: deliveryListKey(name),
    queryFn: async ({ pageParam, signal }) =>
      toPage(
        await callUntil(signal)('GET deliveries', {
          query: {
            view: 'rows',
            cursor: pageParam,
            limit: pageSize,
            ...(name === 'skipped' && { state: 'skipped' }),
            ...(name === 'audited' && { q: 'source:audit' }),
          },
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

/** Number of rows on Home. */
const newest = 6

/** The newest deliveries. The overview, with which their key begins, is reloaded with each fact of a delivery. */
export function useNewestDeliveries() {
  return useQuery({
    queryKey: ['overview', 'newest-deliveries'],
    queryFn: async ({ signal }) =>
      toPage(await callUntil(signal)('GET deliveries', { query: { view: 'rows', limit: newest } }))
        .rows,
  })
}

export function useDelivery(id: string) {
  return useRead('GET deliveries/:id', { params: { id } })
}

const storyRefreshMs = 1000

/**
 * Reads the cause and the possible effects of a delivery, again while more effects may follow.
 * @param attempts number of attempts; a new one has its own effects
 */
export function useDeliveryStory(id: string, attempts: number) {
  return useQuery({
    queryKey: ['deliveries', `${id}/story`, attempts],
    queryFn: ({ signal }) => callUntil(signal)('GET deliveries/:id/story', { params: { id } }),
    refetchInterval: ({ state: { data } }) =>
      data?.effects && Date.parse(data.effects.to) > sandboxNow() ? storyRefreshMs : false,
  })
}

export function useReplay() {
  return useWrite({
    call: ({ id, payload }: { id: string; payload?: unknown }) =>
      callApi('POST deliveries/:id/replay', {
        params: { id },
        body: payload === undefined ? {} : { payload },
      }),
    changes: ['deliveries'],
    failed: 'Could not replay the delivery',
  })
}

/** Replays several deliveries in one request; aborting the signal starts no further ones. */
export function useReplayMany() {
  return useWrite({
    call: ({ body, signal }: { body: ReplayManyRequest; signal: AbortSignal }) =>
      callUntil(signal)('POST deliveries/replay', { body }),
    changes: ['deliveries'],
  })
}

/** Sends a delivery that is held because its webhook triggers itself. */
export function useReleaseDelivery() {
  return useWrite({
    call: (id: string) => callApi('POST deliveries/:id/release', { params: { id } }),
    changes: ['deliveries'],
    done: 'Delivery released',
    failed: 'Could not release the delivery',
  })
}

export function useCancelDelivery() {
  return useWrite({
    call: (id: string) => callApi('POST deliveries/:id/cancel', { params: { id } }),
    changes: ['deliveries'],
    done: 'Retries cancelled',
    failed: 'Could not cancel the delivery',
  })
}
