import type { PageQuery } from '../../../contract/control.ts'
import { Refusal } from '../../../core/refusal.ts'

export interface Page<T> {
  items: T[]
  nextCursor?: string
}

const defaultLimit = 100

/** Collections keep the order in which things came; most lists start with what came last. */
export function newestFirst<T>(values: Iterable<T>): T[] {
  return [...values].toReversed()
}

/**
 * One page of a list.
 * @param values all items, in the order in which they are shown
 * @param idOf the cursor of an item
 * @throws {Refusal} `invalid` when the item of the cursor is gone
 */
export function pageOf<T, R>(
  values: Iterable<T>,
  query: PageQuery,
  idOf: (item: T) => string,
  describe: (item: T) => R,
): Page<R> {
  const all = [...values]
  const { cursor, limit = defaultLimit } = query
  const start = cursor === undefined ? 0 : all.findIndex((item) => idOf(item) === cursor) + 1
  if (cursor !== undefined && start === 0) {
    throw new Refusal('invalid', 'The cursor is of an item that is gone: start again.', {
      issues: [{ path: 'cursor', message: 'unknown' }],
    })
  }
  const items = all.slice(start, start + limit)
  const last = items.at(-1)
  const isLast = start + limit >= all.length
  return {
    items: items.map(describe),
    ...(isLast || last === undefined ? {} : { nextCursor: idOf(last) }),
  }
}
