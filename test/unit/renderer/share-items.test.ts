import { describe, expect, test } from 'vitest'
import { shareItems } from '../../../renderer/api/share-items.ts'

const row = (id: string, status = 200) => ({ id, status, user: { name: 'alice' } })
const list = (...items: unknown[]) => ({ items, cut: false, kept: { requests: items.length } })

describe('a reloaded list', () => {
  test('keeps its rows below a new one', () => {
    const before = list(row('b'), row('a'))
    const now = shareItems(before, list(row('c'), row('b'), row('a')))
    expect(now).toEqual(list(row('c'), row('b'), row('a')))
    expect(now.items[1]).toBe(before.items[0])
    expect(now.items[2]).toBe(before.items[1])
  })

  test('that did not change is the same list', () => {
    const before = list(row('b'), row('a'))
    expect(shareItems(before, list(row('b'), row('a')))).toBe(before)
    expect(shareItems(undefined, before)).toBe(before)
  })

  test('replaces what changed in a row, in its length or beside its rows', () => {
    const before = list(row('b'), row('a'))
    const changed = shareItems(before, list(row('b', 500), row('a')))
    expect(changed).toEqual(list(row('b', 500), row('a')))
    expect(changed.items[1]).toBe(before.items[1])
    expect(shareItems(before, list(row('b'))).items).toEqual([row('b')])
    const cut = { ...list(row('b'), row('a')), cut: true }
    expect(shareItems(before, cut)).toEqual(cut)
    const further = { ...list(row('b'), row('a')), nextOne: 'x' }
    expect(shareItems<object & { items: unknown[] }>(before, further)).toEqual(further)
    expect(shareItems<object & { items: unknown[] }>(further, before)).toEqual(before)
  })

  test('without ids is compared by places', () => {
    const before = list({ name: 'a' }, { name: 'b' })
    const now = shareItems(before, list({ name: 'a' }, { name: 'c' }))
    expect(now).toEqual(list({ name: 'a' }, { name: 'c' }))
    expect(now.items[0]).toBe(before.items[0])
  })

  test('that was empty has the new rows', () => {
    expect(shareItems(list(), list(row('a'), 'text'))).toEqual(list(row('a'), 'text'))
  })
})
