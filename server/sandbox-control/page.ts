import type { PageQuery } from '../contract/control.ts'
import { Refusal } from '../core/refusal.ts'

export interface Page<T> {
  items: T[]
  nextCursor?: string
}

const defaultLimit = 100

/**
 * One page of a list, newest first.
 * @param oldestFirst all items, as collections keep them
 * @param idOf the cursor of an item
 * @throws {Refusal} `invalid_request` when the item of the cursor is gone
 */
export function pageOf<T, R>(
  oldestFirst: Iterable<T>,
  query: PageQuery,
  idOf: (item: T) => string,
  describe: (item: T) => R,
): Page<R> {
  const newestFirst = [...oldestFirst].toReversed()
  const { cursor, limit = defaultLimit } = query
  const start =
    cursor === undefined ? 0 : newestFirst.findIndex((item) => idOf(item) === cursor) + 1
  if (cursor !== undefined && start === 0) {
    throw new Refusal('invalid_request', 'The cursor is of an item that is gone: start again.', [
      { path: 'cursor', message: 'unknown' },
    ])
  }
  const items = newestFirst.slice(start, start + limit)
  const last = items.at(-1)
  const isLast = start + limit >= newestFirst.length
  return {
    items: items.map(describe),
    ...(isLast || last === undefined ? {} : { nextCursor: idOf(last) }),
  }
}
