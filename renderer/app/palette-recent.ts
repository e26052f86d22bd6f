import type { PaletteGroup, PaletteItem } from '../ui/palette.tsx'
import { isStringList, useStoredState } from '../lib/stored-state.ts'

const mostRecent = 8

/** Ids of palette items run before, latest first. Only ids are stored: names may change. */
export function useRecent() {
  const [ids, setIds] = useStoredState<string[]>('hub-sandbox-palette', [], isStringList)
  return {
    ids,
    note: (id: string) => setIds([id, ...ids.filter((other) => other !== id)].slice(0, mostRecent)),
  }
}

/** Moves recent items to the front of each group; with an empty query they form a group of their own. */
export function recentFirst(
  groups: readonly PaletteGroup[],
  recent: readonly string[],
  query: string,
): PaletteGroup[] {
  const rank = ({ id }: PaletteItem) => {
    const index = recent.indexOf(id)
    return index === -1 ? recent.length : index
  }
  const sorted = groups
    .filter(({ items }) => items.length > 0)
    .map(({ title, items }) => ({
      title,
      items: items.toSorted((one, other) => rank(one) - rank(other)),
    }))
  if (query.trim() !== '') return sorted
  const used = sorted
    .flatMap(({ items }) => items)
    .filter(({ id }) => recent.includes(id))
    .toSorted((one, other) => rank(one) - rank(other))
  const others = sorted.map(({ title, items }) => ({
    title,
    items: items.filter((item) => !used.includes(item)),
  }))
  return [{ title: 'Recent', items: used }, ...others].filter(({ items }) => items.length > 0)
}
