import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure, Loading } from './states.tsx'

/** Shows what a query has: waiting, failed (with a way to try again), or its data. */
export function QueryView<T>({
  query,
  what,
  children,
}: {
  query: UseQueryResult<T>
  what: string
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />
  return <Loading what={what} />
}
