import { describe, expect, test } from 'vitest'
import { pageOf } from '../../../server/web/page.ts'

const page = (items: string[], query: { cursor?: string; limit?: number }) =>
  pageOf(
    items,
    query,
    (item) => item,
    (item) => item,
  )

describe('pages', () => {
  test('a full last page has no cursor, as the first page or later', () => {
    expect(page(['a', 'b'], { limit: 2 })).toEqual({ items: ['a', 'b'] })
    const items = ['a', 'b', 'c', 'd']
    expect(page(items, { limit: 2 })).toEqual({ items: ['a', 'b'], nextCursor: 'b' })
    expect(page(items, { limit: 2, cursor: 'b' })).toEqual({ items: ['c', 'd'] })
  })

  test('one item more is on a second page', () => {
    const items = ['a', 'b', 'c']
    expect(page(items, { limit: 2 })).toEqual({ items: ['a', 'b'], nextCursor: 'b' })
    expect(page(items, { limit: 2, cursor: 'b' })).toEqual({ items: ['c'] })
  })
})
