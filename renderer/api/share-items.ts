import { replaceEqualDeep } from '@tanstack/react-query'

interface Listed {
  items: readonly unknown[]
}

/**
 * Keeps the objects of items that a reloaded list had before, wherever they stand now. Compared by their places, as the
 * library does, all items of a list with the newest first are new ones each time, and what was drawn before holds the old.
 */
export function shareItems<T extends Listed>(before: T | undefined, now: T): T {
  if (before === undefined) return now
  const known = new Map(before.items.map((item) => [idOf(item), item]))
  // Without ids nothing but the place tells which is which.
  if (known.has(undefined)) return replaceEqualDeep(before, now)
  const items = now.items.map((item) => {
    const same = known.get(idOf(item))
    return same === undefined ? item : replaceEqualDeep(same, item)
  })
  const isSame =
    items.length === before.items.length && items.every((item, at) => item === before.items[at])
  const [old, rest] = [withoutItems(before), withoutItems(now)]
  const further = replaceEqualDeep(old, rest)
  return isSame && further === old ? before : { ...now, ...further, items }
}

function withoutItems({ items: _items, ...further }: Listed): object {
  return further
}

function idOf(item: unknown): string | undefined {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string'
    ? item.id
    : undefined
}
