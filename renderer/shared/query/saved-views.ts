import { queryKeys, type QueryList } from '../../../server/contract/query/query-keys.ts'
import { useStoredState } from '../../lib/stored-state.ts'

/** Query with a name, kept in this browser. */
export interface SavedView {
  list: QueryList
  name: string
  query: string
}

export const longestName = 80
const longestQuery = 2000
/** More than anybody reads. */
export const mostViews = 100

/** Pages of the lists. */
const paths: Readonly<Record<QueryList, string>> = {
  requests: '/requests',
  flows: '/sign-ins',
  deliveries: '/deliveries',
}

export function pathOfView({ list, query }: SavedView): string {
  return `${paths[list]}?q=${encodeURIComponent(query)}`
}

function isView(value: unknown): value is SavedView {
  if (typeof value !== 'object' || value === null) return false
  const { list, name, query } = value as Partial<Record<keyof SavedView, unknown>>
  return (
    typeof list === 'string' &&
    Object.hasOwn(queryKeys, list) &&
    typeof name === 'string' &&
    name !== '' &&
    name.length <= longestName &&
    typeof query === 'string' &&
    query.length <= longestQuery
  )
}

/** Checks a stored value, which another version or a person may have written. */
export function isViewList(value: unknown): value is SavedView[] {
  return Array.isArray(value) && value.length <= mostViews && value.every(isView)
}

/** One line of visible characters, at most {@link longestName} of them: what a name is kept as. */
export function cleanName(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return Array.from(line)
    .slice(0, longestName / 2)
    .join('')
}

/** Adds a view; one of the same list and name is replaced. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...withoutView(views, view), view].slice(-mostViews)
}

export function withoutView(
  views: readonly SavedView[],
  { list, name }: Pick<SavedView, 'list' | 'name'>,
): SavedView[] {
  return views.filter((other) => other.list !== list || other.name !== name)
}

const none: SavedView[] = []

export function useSavedViews() {
  const [views, setViews] = useStoredState('hub-sandbox-views', none, isViewList)
  return {
    views,
    save: (view: SavedView) => setViews(withView(views, view)),
    remove: (view: SavedView) => setViews(withoutView(views, view)),
  }
}
