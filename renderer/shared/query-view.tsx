import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { Failure, Loading, Unknown } from '../ui/states.tsx'
import { words } from './words.ts'

interface QueryViewProps<T> {
  query: UseQueryResult<T>
  what: string
  children: (data: T) => ReactNode
  /** Where to go from what is not there. */
  wayOut?: ReactNode
}

/** Shows what a query has: waiting, not there, failed (with a way to try again), or its data. */
export function QueryView<T>({ query, what, children, wayOut }: QueryViewProps<T>) {
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <Unknown title={words.notFound(what)} actions={wayOut}>
        {query.error.message}
      </Unknown>
    )
  }
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />
  return <Loading what={what} />
}
