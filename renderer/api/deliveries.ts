import {
  keepPreviousData,
  queryOptions,
  useQueries,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { DeliveryItem, ReplayManyRequest } from '../../server/contract/control-deliveries.ts'
import { sandboxNow } from '../lib/sandbox-clock.ts'
import { callApi, callUntil } from './client.ts'
import { deliveryListKeys, type DeliveryListFilters, liveRowsKey } from './delivery-cache.ts'
import { cursorAfter, type LiveRows, noLiveRows, toPage, toRow } from './delivery-rows.ts'
import { useRead, useWrite } from './query.ts'

export const pageSize = 80
/** Pages that are out of view are dropped after this time, so that memory does not grow with the log. */
const keptMs = 5000

interface Place {
  cursor?: string | undefined
  skip?: number
  around?: string
  limit?: number
}

export interface ListRequest {
  filters: DeliveryListFilters
  /** True once the names in the filters are loaded, so that the filters can be checked. */
  isReady: boolean
}

/** Reads rows at a place of a list. */
export async function readRows(filters: DeliveryListFilters, place: Place, signal?: AbortSignal) {
  const query = { view: 'rows' as const, limit: pageSize, ...filters, ...place }
  return toPage(await callUntil(signal)('GET deliveries', { query }))
}

/** First page of a list as it is now, or as it was when it was paused. */
export function useFirstPage({ filters, isReady }: ListRequest) {
  const client = useQueryClient()
  return useQuery({
    queryKey: deliveryListKeys.page(filters, undefined, 0),
    queryFn: ({ signal }) => {
      // As it is now: the feed may have started again since the last rendering, which ends a pause.
      const { pausedAt } = client.getQueryData<LiveRows>(liveRowsKey) ?? noLiveRows
      const cursor = pausedAt === undefined ? undefined : cursorAfter(pausedAt)
      return readRows(filters, { cursor, skip: 0 }, signal)
    },
    enabled: isReady,
    placeholderData: keepPreviousData,
    // The live rows are those after the page that is shown: another one does not fit them.
    gcTime: 0,
  })
}

/** A further page of the list that a cursor leaves. */
export function furtherPage(filters: DeliveryListFilters, cursor: string, skip: number) {
  return queryOptions({
    queryKey: deliveryListKeys.page(filters, cursor, skip),
    queryFn: ({ signal }) => readRows(filters, { cursor, skip }, signal),
    gcTime: keptMs,
  })
}

export function useFurtherPages(
  filters: DeliveryListFilters,
  cursor: string,
  places: readonly number[],
) {
  return useQueries({ queries: places.map((skip) => furtherPage(filters, cursor, skip)) })
}

/**
 * Index of a delivery within the list that a cursor leaves; undefined if it is not in it.
 * @param id without one, nothing is read
 */
export function useDeliveryPlace(
  filters: DeliveryListFilters,
  cursor: string,
  id: string | undefined,
): number | undefined {
  const { data } = useQuery({
    queryKey: deliveryListKeys.place(filters, cursor, id),
    queryFn: ({ signal }) => readRows(filters, { cursor, around: id ?? '', limit: 1 }, signal),
    enabled: id !== undefined,
    gcTime: keptMs,
  })
  return data && data.rows[0]?.id === id ? data.start : undefined
}

/** Sums of a list, which the live feed makes stale. */
export function useDeliverySums({ filters, isReady }: ListRequest, cursor: string | undefined) {
  return useQuery({
    enabled: isReady,
    queryKey: deliveryListKeys.sumsOf(filters, cursor),
    queryFn: ({ signal }) =>
      callUntil(signal)('GET deliveries/summary', { query: { ...filters, cursor } }),
    placeholderData: keepPreviousData,
    gcTime: keptMs,
  })
}

/** Deliveries that the live feed has reported since the first page was read. */
export function useLiveRows(): LiveRows {
  const { data } = useQuery({
    queryKey: liveRowsKey,
    queryFn: () => noLiveRows,
    initialData: noLiveRows,
    enabled: false,
  })
  return data
}

/** Deliveries to compare one with: the previous one of its kind to the same webhook, and those of the same event. */
export function useComparable({ id, webhookId, eventId, scope, action }: DeliveryItem) {
  return useQuery({
    queryKey: ['deliveries', `${id}/comparable`],
    queryFn: async ({ signal }) => {
      const q = `kind:"${scope}" action:"${action}"`
      const [near, ofEvent] = await Promise.all([
        readRows({ webhookId, q }, { around: id, limit: 3 }, signal),
        callUntil(signal)('GET deliveries', { query: { view: 'rows', eventId, limit: 1000 } }),
      ])
      const own = near.rows.findIndex((row) => row.id === id)
      return { previous: near.rows[own + 1], ofEvent: ofEvent.items.map(toRow) }
    },
  })
}

/** Number of rows on Home. */
const newest = 6

/** The newest deliveries. The overview, with which their key begins, is reloaded with each fact of a delivery. */
export function useNewestDeliveries() {
  return useQuery({
    queryKey: ['overview', 'newest-deliveries'],
    queryFn: async ({ signal }) =>
      (
        await callUntil(signal)('GET deliveries', { query: { view: 'rows', limit: newest } })
      ).items.map(toRow),
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
