import { findKey } from '../../../../server/contract/query/query-keys.ts'
import { readTerms } from '../../../../server/contract/query/read-terms.ts'
import type { RequestItem } from '../../../../server/contract/control-requests.ts'
import { readSort, sortRows, type SortValue } from '../../../ui/table-sort.ts'

/** Values that the columns of the list sort by, under their names in the URL. */
export const requestSorts = {
  when: ({ at }: RequestItem): SortValue => at,
  status: ({ status }: RequestItem): SortValue => status,
  request: ({ method, path }: RequestItem): SortValue => `${path} ${method}`,
  app: ({ app }: RequestItem): SortValue => app?.name,
  model: ({ inference }: RequestItem): SortValue => inference?.model,
  rule: ({ inference }: RequestItem): SortValue => inference?.rule,
  user: ({ user }: RequestItem): SortValue => user?.username,
  duration: ({ durationMs }: RequestItem): SortValue => durationMs,
} as const

const sorts = new Map<string, (item: RequestItem) => SortValue>(Object.entries(requestSorts))

/** Sort that a query asks for: `took:>1s` shows the slowest requests first, `took:<5ms` the fastest. */
export function sortOfQuery(query: string): string {
  const took = readTerms(query).findLast(
    ({ key, negated }) => key !== undefined && !negated && findKey('requests', key)?.[0] === 'took',
  )
  const [value] = took?.values ?? []
  if (value === undefined || value.text === '') return ''
  return value.text.startsWith('<') ? 'duration' : '-duration'
}

/** Sorts requests by a column; `undefined` if the text names none. */
export function sortRequests(
  requests: readonly RequestItem[],
  text: string,
): readonly RequestItem[] | undefined {
  const sort = readSort(text, [...sorts.keys()])
  const valueOf = sort && sorts.get(sort.key)
  return valueOf && sortRows(requests, valueOf, sort.isDescending)
}
