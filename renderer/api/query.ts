import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { callApi, type QueryParameters } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** Said when it succeeded, and when it failed. */
      done?: string
      failed?: string
    }
  }
}

/** Resources of the control API; the first part of every query key. */
export type Resource =
  | 'overview'
  | 'fixtures'
  | 'clock'
  | 'sessions'
  | 'device'
  | 'tokens'
  | 'consents'
  | 'apps'
  | 'users'
  | 'organizations'
  | 'audit-log'
  | 'repos'
  | 'webhooks'
  | 'deliveries'
  | 'jobs'
  | 'requests'
  | 'flows'
  | 'faults'
  | 'barriers'
  | 'keys'
  | 'snapshots'
  | 'events'
  | 'links'

interface ReadOptions {
  query?: QueryParameters
  enabled?: boolean
}

/** Reads an address of the control API and keeps what it said until the live feed says otherwise. */
export function useRead<T>(
  resource: Resource,
  path = '',
  { query = {}, enabled = true }: ReadOptions = {},
): UseQueryResult<T> {
  return useQuery<T>({
    queryKey: [resource, path, query],
    queryFn: ({ signal }) => callApi<T>(path ? `${resource}/${path}` : resource, { query, signal }),
    enabled,
  })
}

interface WriteOptions<Input, Answer> {
  call: (input: Input) => Promise<Answer>
  /** Resources that read differently afterwards. */
  changes: readonly Resource[]
  done?: string
  failed?: string
}

/** A change through the control API. Success and failure are announced by their words, if given. */
export function useWrite<Input = void, Answer = unknown>(options: WriteOptions<Input, Answer>) {
  const client = useQueryClient()
  return useMutation<Answer, Error, Input>({
    mutationFn: options.call,
    onSuccess: () =>
      Promise.all(
        [...options.changes, 'overview' as const].map((resource) =>
          client.invalidateQueries({ queryKey: [resource] }),
        ),
      ),
    meta: {
      ...(options.done !== undefined && { done: options.done }),
      ...(options.failed !== undefined && { failed: options.failed }),
    },
  })
}

/** Lists end here, as the list of deliveries does. */
const mostItems = 20_000
const pageSize = 1000

export interface WholeList<T> {
  items: readonly T[]
  /** There are more than a list here shows. */
  cut: boolean
}

/** Reads a list of the control API to its end, page after page. */
export function useWholeList<T>(
  resource: Resource,
  query: QueryParameters = {},
): UseQueryResult<WholeList<T>> {
  return useQuery<WholeList<T>>({
    queryKey: [resource, '', query],
    queryFn: async ({ signal }) => {
      const items: T[] = []
      let cursor: string | undefined
      do {
        const page: { items: T[]; nextCursor?: string } = await callApi(resource, {
          query: { ...query, limit: pageSize, cursor },
          signal,
        })
        items.push(...page.items)
        cursor = page.nextCursor
      } while (cursor !== undefined && items.length < mostItems)
      return { items, cut: cursor !== undefined }
    },
  })
}
