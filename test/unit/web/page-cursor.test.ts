import { describe, expect, test } from 'vitest'
import { filtered, pageOf } from '../../../server/web/page.ts'

/** Numbers from 1 on, of which the last that was read is known. */
function countTo(most: number) {
  let read = 0
  function* values() {
    while (read < most) yield (read += 1)
  }
  return { values: values(), read: () => read }
}

const page = (values: Iterable<number>, query: { cursor?: string; limit?: number }) =>
  pageOf(values, query, String, (value) => value)

describe('a page of a list', () => {
  test('reads one item more than it returns', () => {
    const { values, read } = countTo(1000)
    expect(page(values, { limit: 3 })).toEqual({ items: [1, 2, 3], nextCursor: '3' })
    expect(read()).toBe(4)
  })

  test('reads as many filtered items as needed', () => {
    const { values, read } = countTo(1000)
    const even = filtered(values, (value) => value % 2 === 0)
    expect(page(even, { limit: 2, cursor: '4' })).toEqual({ items: [6, 8], nextCursor: '8' })
    expect(read()).toBe(10)
  })

  test.each([
    [{ limit: 3 }, { items: [1, 2, 3], nextCursor: '3' }],
    [{ limit: 4 }, { items: [1, 2, 3, 4] }],
    [{ limit: 4, cursor: '3' }, { items: [4] }],
    [
      { limit: 1, cursor: '2' },
      { items: [3], nextCursor: '3' },
    ],
    [{ limit: 1, cursor: '4' }, { items: [] }],
    [{}, { items: [1, 2, 3, 4] }],
  ])('%j of four', (query, expected) => {
    expect(page([1, 2, 3, 4], query)).toEqual(expected)
  })

  test.each([[[1, 2]], [[]]])('refuses a cursor that is not in %j', (values) => {
    expect(() => page(values, { cursor: '5' })).toThrow('The item of this cursor no longer exists')
  })
})
