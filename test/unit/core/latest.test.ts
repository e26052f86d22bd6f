import { describe, expect, test } from 'vitest'
import { Latest } from '../../../server/core/latest.ts'

const itemsOf = <T>(latest: Latest<T>) =>
  Array.from({ length: latest.length }, (_, index) => latest.at(index))

describe('the latest items', () => {
  test.each([1, 3, 7, 8])('a limit of %i items keeps that many, oldest first', (items) => {
    const latest = new Latest<number>({ items, bytes: Infinity }, () => 1)
    for (let number = 1; number <= 7; number += 1) latest.push(number)
    expect(itemsOf(latest)).toEqual([1, 2, 3, 4, 5, 6, 7].slice(-items))
    expect(latest.at(-1)).toBeUndefined()
    expect(latest.at(latest.length)).toBeUndefined()
  })

  test('a limit of bytes drops as many of the oldest as the newest needs', () => {
    const latest = new Latest<string>({ items: 100, bytes: 10 }, (text) => text.length)
    for (const text of ['aaaa', 'bb', 'cccc']) latest.push(text)
    expect(itemsOf(latest)).toEqual(['aaaa', 'bb', 'cccc'])
    latest.push('dddddd')
    expect(itemsOf(latest)).toEqual(['cccc', 'dddddd'])
  })

  test('an item larger than the limit is kept alone, and counts no longer once it is dropped', () => {
    const latest = new Latest<string>({ items: 100, bytes: 4 }, (text) => text.length)
    latest.push('a')
    latest.push('b'.repeat(9))
    expect(itemsOf(latest)).toEqual(['b'.repeat(9)])
    for (const text of ['c', 'd', 'e', 'f']) latest.push(text)
    expect(itemsOf(latest)).toEqual(['c', 'd', 'e', 'f'])
  })

  test('places stay right over many items, and after all are cleared', () => {
    const latest = new Latest<number>({ items: 3, bytes: Infinity }, () => 1)
    for (let number = 1; number <= 10_000; number += 1) latest.push(number)
    expect(itemsOf(latest)).toEqual([9998, 9999, 10_000])
    latest.clear()
    latest.push(1)
    expect(itemsOf(latest)).toEqual([1])
  })
})
