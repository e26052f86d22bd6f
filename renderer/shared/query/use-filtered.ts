import { useDeferredValue, useMemo } from 'react'
import type { QuerySubject } from '../../../server/contract/query/compile-query.ts'
import type { QueryList } from '../../../server/contract/query/query-keys.ts'
import { sandboxNow } from '../../lib/sandbox-clock.ts'
import { type Filtered, filterEntries } from './filter-entries.ts'
import type { QueryNames } from './use-query-names.ts'

/** Filters a list by a query. @param subjectOf a function that stays the same between renders */
export function useFiltered<T>(
  list: QueryList,
  text: string,
  known: QueryNames,
  entries: readonly T[],
  subjectOf: (entry: T) => QuerySubject,
): Filtered<T> {
  const wanted = useDeferredValue(text)
  return useMemo(
    () => filterEntries(list, wanted, { now: sandboxNow(), known }, entries, subjectOf),
    [list, wanted, known, entries, subjectOf],
  )
}
