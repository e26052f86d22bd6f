import { describe, expect, test } from 'vitest'
import { type ColumnRoom, layOutColumns } from '../../../renderer/ui/table-layout.ts'

interface Named extends ColumnRoom {
  name: string
}

const columns: readonly Named[] = [
  { name: 'user', minWidth: 10 },
  { name: 'scopes', minWidth: 13, priority: 2 },
  { name: 'source', width: 9, priority: 3 },
  { name: 'issued', width: 8, priority: 2 },
  { name: 'actions', width: 6 },
]

const shown = (available: number, of = columns) => {
  const { columns: kept, isCards } = layOutColumns(of, available)
  return { isCards, names: kept.map(({ name }) => name).join(' ') }
}

describe('the columns of a table', () => {
  test.each([
    [Infinity, 'user scopes source issued actions'],
    [46, 'user scopes source issued actions'],
    [45.9, 'user scopes issued actions'],
    [36.9, 'user scopes actions'],
    [36, 'user scopes actions'],
  ])('with room for %d rem are the most important ones that fit', (available, names) => {
    expect(shown(available)).toEqual({ isCards: false, names })
  })

  test('become lines of cards below 36 rem, without those of priority 3', () => {
    expect(shown(35.9)).toEqual({ isCards: true, names: 'user scopes issued actions' })
  })

  test('stay columns beside an open row as long as they fit', () => {
    const layout = (available: number) => layOutColumns(columns, available, true)
    const { columns: kept, isCards } = layout(20)
    expect([isCards, kept.map(({ name }) => name)]).toEqual([false, ['user', 'actions']])
    expect(layout(15.9).isCards).toBe(true)
  })

  test('become cards where those that always show have no room', () => {
    const wide = [
      { name: 'a', width: 30 },
      { name: 'b', width: 30 },
    ]
    expect(shown(40, wide)).toEqual({ isCards: true, names: 'a b' })
  })

  test.each([
    [24, [15, undefined]],
    [30, [undefined, undefined]],
  ])('keep their least widths where they share %d rem', (available, widths) => {
    const three: ColumnRoom[] = [{ minWidth: 15 }, { minWidth: 8 }, { width: 6 }]
    const { columns: kept } = layOutColumns(three, available + 6, true)
    expect(kept.map(({ width }) => width)).toEqual([...widths, 6])
  })

  test('without a width have 7 rem', () => {
    const six = Array.from({ length: 6 }, (_, index) => ({ name: String(index) }))
    expect(shown(42, six).isCards).toBe(false)
    expect(shown(41.9, six).isCards).toBe(true)
  })
})
