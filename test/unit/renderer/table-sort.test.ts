import { describe, expect, test } from 'vitest'
import { nextSort, readSort, sortKey, sortRows } from '../../../renderer/ui/table-sort.ts'

describe('the sort of a table', () => {
  test.each([
    ['Last delivery', 'last-delivery'],
    ['p95', 'p95'],
    ['  Name (full) ', 'name-full'],
  ])('names the column %s in the URL', (title, key) => {
    expect(sortKey(title)).toBe(key)
  })

  test.each([
    ['took', { key: 'took', isDescending: false }],
    ['-took', { key: 'took', isDescending: true }],
    ['', undefined],
    ['-', undefined],
    ['--took', undefined],
    ['constructor', undefined],
  ])('is read from %j', (text, sort) => {
    expect(readSort(text, ['name', 'took'])).toEqual(sort)
  })

  test('takes one direction, then the other, then none', () => {
    const clicks = (descendsFirst: boolean) => {
      const texts: string[] = []
      for (let text = 'name', click = 0; click < 4; click++) {
        text = nextSort(readSort(text, ['name', 'took']), 'took', descendsFirst)
        texts.push(text)
      }
      return texts
    }
    expect(clicks(true)).toEqual(['-took', 'took', '', '-took'])
    expect(clicks(false)).toEqual(['took', '-took', '', 'took'])
  })

  const sorted = (values: (string | number | undefined)[], isDescending = false) =>
    sortRows(values, (value) => value, isDescending)

  test('compares numbers as numbers, and the digits of names', () => {
    expect(sorted([10, 9, -1])).toEqual([-1, 9, 10])
    expect(sorted(['file-10', 'File-2', 'ä', 'b'])).toEqual(['ä', 'b', 'File-2', 'file-10'])
  })

  test('puts rows without a value last, in both directions', () => {
    expect(sorted([undefined, 2, undefined, 1])).toEqual([1, 2, undefined, undefined])
    expect(sorted([undefined, 2, undefined, 1], true)).toEqual([2, 1, undefined, undefined])
  })

  test('keeps the order of equal rows, in both directions, and the list as it was', () => {
    const rows = [
      { id: 1, name: 'b' },
      { id: 2, name: 'a' },
      { id: 3, name: 'b' },
    ]
    const ids = (isDescending: boolean) =>
      sortRows(rows, ({ name }) => name, isDescending).map(({ id }) => id)
    expect(ids(false)).toEqual([2, 1, 3])
    expect(ids(true)).toEqual([1, 3, 2])
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3])
  })
})
