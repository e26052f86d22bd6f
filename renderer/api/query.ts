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

/** Whole lists that fit on one page. */
export const wholeList = { limit: 1000 } as const
