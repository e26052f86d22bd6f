import type { PaletteGroup } from '../ui/palette.tsx'
import { matchRank } from '../lib/fuzzy.ts'

/** Rank of search results, which the server found by more than their label. */
const foundRank = 2

/** Orders groups and their items by how well they match what was typed; equal ones keep their order. */
export function bestFirst(groups: readonly PaletteGroup[], query: string): PaletteGroup[] {
  if (query.trim() === '') return [...groups]
  const ranked = groups.map(({ title, items }) => {
    const matches = items.flatMap((item) => {
      const rank = matchRank(query, item.label, item.words) ?? (item.found ? foundRank : undefined)
      return rank === undefined ? [] : [{ item, rank }]
    })
    const sorted = matches.toSorted((one, other) => one.rank - other.rank)
    return { title, items: sorted.map(({ item }) => item), best: sorted[0]?.rank ?? Infinity }
  })
  return ranked
    .filter(({ items }) => items.length > 0)
    .toSorted((one, other) => one.best - other.best)
    .map(({ title, items }) => ({ title, items }))
}
