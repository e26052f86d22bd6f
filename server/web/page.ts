import type { PageQuery } from '../contract/control.ts'
import { roughJsonLength } from '../core/json-length.ts'
import { Refusal } from '../core/refusal.ts'

export interface Page<T> {
  items: T[]
  nextCursor?: string
}

const defaultLimit = 100
/** Length of the JSON of a page, about: items can be large, and writing them takes time. */
const mostCharacters = 2 * 1024 * 1024

/** Reverses a collection, since most lists start with the newest item. */
export function newestFirst<T>(values: Iterable<T>): T[] {
  return [...values].toReversed()
}

/** Filters lazily, since a page needs few items of a long list. */
export function* filtered<T>(
  values: Iterable<T>,
  isWanted: (value: T) => boolean,
): Generator<T, void, undefined> {
  for (const value of values) if (isWanted(value)) yield value
}

/** Maps lazily, so that a reader that stops early costs no more than it has read. */
export function* mapped<T, R>(
  values: Iterable<T>,
  map: (value: T) => R,
): Generator<R, void, undefined> {
  for (const value of values) yield map(value)
}

/**
 * Returns a page of a list. It ends early once it is long, but has at least one item.
 * @param values all items, in the order in which they are shown; read as far as the page goes, and one more
 * @param idOf the cursor of an item
 * @throws {Refusal} `invalid` when the item of the cursor is gone
 */
export function pageOf<T, R>(
  values: Iterable<T>,
  query: PageQuery,
  idOf: (item: T) => string,
  describe: (item: T) => R,
): Page<R> {
  const { cursor, limit = defaultLimit } = query
  const items: R[] = []
  let length = 0
  let last: T | undefined
  let hasBegun = cursor === undefined
  let isLast = true
  for (const item of values) {
    if (!hasBegun) {
      hasBegun = idOf(item) === cursor
    } else if (items.length < limit && length < mostCharacters) {
      const described = describe(item)
      length += roughJsonLength(described)
      items.push(described)
      last = item
    } else {
      isLast = false
      break
    }
  }
  if (!hasBegun) {
    throw new Refusal(
      'invalid',
      'The item of this cursor no longer exists: start again without a cursor.',
      {
        issues: [{ path: 'cursor', message: 'unknown' }],
      },
    )
  }
  return {
    items,
    ...(isLast || last === undefined ? {} : { nextCursor: idOf(last) }),
  }
}
