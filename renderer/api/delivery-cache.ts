import type { QueryClient } from '@tanstack/react-query'
import type { LiveEntry } from '../../server/contract/live.ts'
import {
  addFacts,
  type DeliveryRowPage,
  dropLoaded,
  isDeliveryEntry,
  type LiveRows,
  noLiveRows,
  updatePage,
} from './delivery-rows.ts'

/** Filters of a list of deliveries, as parameters of the control API. */
export interface DeliveryListFilters {
  webhookId?: string | undefined
  q?: string | undefined
  state?: string | undefined
  audits?: '1' | undefined
  bookmarks?: string | undefined
}

/** Keys of what is loaded of a list; they begin alike, so that everything can be read again at once. */
export const deliveryListKeys = {
  all: ['delivery-list'],
  pages: ['delivery-list', 'rows'],
  page: (filters: DeliveryListFilters, cursor: string | undefined, skip: number) =>
    ['delivery-list', 'rows', filters, cursor ?? 'now', skip] as const,
  place: (filters: DeliveryListFilters, cursor: string, id: string | undefined) =>
    ['delivery-list', 'place', filters, cursor, id] as const,
  sums: ['delivery-list', 'sums'],
  sumsOf: (filters: DeliveryListFilters, cursor: string | undefined) =>
    ['delivery-list', 'sums', filters, cursor ?? 'now'] as const,
} as const

export const liveRowsKey = ['live-deliveries'] as const

/**
 * Applies facts of the live feed to the loaded rows, without a request.
 * @returns whether a fact is about an older delivery: with a filter, it may leave or enter the list
 */
export function updateDeliveryList(client: QueryClient, entries: readonly LiveEntry[]): boolean {
  const facts = entries.filter(isDeliveryEntry)
  const { after } = client.getQueryData<LiveRows>(liveRowsKey) ?? noLiveRows
  client.setQueryData<LiveRows>(liveRowsKey, (live) => live && addFacts(live, facts))
  client.setQueriesData<DeliveryRowPage>(
    { queryKey: deliveryListKeys.pages },
    (page) => page && updatePage(page, facts),
  )
  return facts.some(({ data: { number = 0 } }) => number <= after)
}

/**
 * Reads the sums of the lists again.
 * @param hasMoved whether filtered lists may have other rows in older places
 */
export async function refreshDeliveryList(client: QueryClient, hasMoved: boolean): Promise<void> {
  const sums = client.invalidateQueries({ queryKey: deliveryListKeys.sums })
  const rows =
    hasMoved &&
    client.invalidateQueries({
      queryKey: deliveryListKeys.pages,
      predicate: ({ queryKey }) => isFiltered(queryKey[2] as DeliveryListFilters),
    })
  await Promise.all([sums, rows])
}

function isFiltered({ q = '', state = '' }: DeliveryListFilters): boolean {
  return q !== '' || state !== ''
}

/** Reads the lists again that have attempts of audits, which no fact reports. */
export function refreshAudited(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    queryKey: deliveryListKeys.all,
    predicate: ({ queryKey }) => {
      const { audits, q = '' } = queryKey[2] as DeliveryListFilters
      return audits !== undefined || q.includes('audit')
    },
  })
}

/** Drops the live rows that the first page has by now. @param after number of its newest delivery */
export function dropLoadedRows(client: QueryClient, after: number): void {
  client.setQueryData<LiveRows>(liveRowsKey, (live) => live && dropLoaded(live, after))
}

/** Lets deliveries after this number wait; undefined: no longer. */
export function pauseAt(client: QueryClient, pausedAt: number | undefined): void {
  client.setQueryData<LiveRows>(liveRowsKey, (live) => live && { ...live, pausedAt })
}

/** Forgets what the live feed reported: it may have missed something, or numbers may start again. */
export function restartLiveRows(client: QueryClient): void {
  client.setQueryData<LiveRows>(liveRowsKey, (live) => live && noLiveRows)
}
