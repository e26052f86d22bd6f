import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { insertSorted } from '../../../server/core/insert-sorted.ts'

test('a sorted list stays sorted, and equal items keep the order in which they were inserted', () => {
  assert(
    property(array(integer({ min: 0, max: 5 })), (ranks) => {
      const items = ranks.map((rank, id) => ({ rank, id }))
      const byRank = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank
      const list: typeof items = []
      for (const item of items) insertSorted(list, item, byRank)
      expect(list).toEqual(items.toSorted(byRank))
    }),
  )
})
