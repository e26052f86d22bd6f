import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/client.ts'
import { Failure, Loading, Unknown } from '../ui/states.tsx'

interface QueryViewProps<T> {
  query: UseQueryResult<T>
  what: string
  children: (data: T) => ReactNode
  /** Action for an unknown item. */
  wayOut?: ReactNode
}

/** Shows the state of a query: loading, not found, failed (with a retry), or its data. */
export function QueryView<T>({ query, what, children, wayOut }: QueryViewProps<T>) {
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <Unknown title={`Could not find ${what}`} actions={wayOut}>
        {query.error.message}
      </Unknown>
    )
  }
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />
  return <Loading what={what} />
}
