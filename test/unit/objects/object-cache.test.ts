import { describe, expect, test } from 'vitest'
import { type CacheShelf, ObjectCache } from '../../../server/objects/object-cache.ts'

/** Beside its own size, as the cache counts it. */
const overhead = 500

describe('what is remembered of objects', () => {
  const cacheOf = (entries: number) => new ObjectCache(entries * (100 + overhead)).shelf('a repo')
  const present = (cache: CacheShelf, ...keys: string[]) =>
    keys.filter((key) => cache.get(key) !== undefined)

  test('goes when there is no more room, the least recently used first', () => {
    const cache = cacheOf(3)
    for (const key of ['a', 'b', 'c']) cache.put(key, key, 100)
    cache.get('a')
    cache.put('d', 'd', 100)
    cache.get('c')
    cache.put('e', 'e', 100)
    expect(present(cache, 'a', 'b', 'c', 'd', 'e')).toEqual(['c', 'd', 'e'])
  })

  test('stays as long as it is used, however often others are put', () => {
    const cache = cacheOf(2)
    cache.put('used', 'used', 100)
    for (let turn = 0; turn < 10; turn++) {
      cache.put(`other ${turn}`, turn, 100)
      // More than once in a turn is as good as once.
      expect([cache.get('used'), cache.get('used')]).toEqual(['used', 'used'])
    }
    expect(present(cache, 'other 8', 'other 9')).toEqual(['other 9'])
  })

  test('is counted once, whatever takes its place', () => {
    const cache = cacheOf(2)
    for (let turn = 0; turn < 10; turn++) cache.put('a', turn, 100)
    cache.put('b', 'b', 100)
    expect([cache.get('a'), cache.get('b')]).toEqual([9, 'b'])
  })

  test('is not kept where it alone is more than there is room for', () => {
    const cache = cacheOf(2)
    cache.put('a', 'a', 100)
    cache.put('large', 'large', 100_000)
    expect(present(cache, 'a', 'large')).toEqual([])
  })

  test('is apart for each shelf, and has one room', () => {
    const cache = new ObjectCache(2 * (100 + overhead))
    const [one, other] = [cache.shelf('one'), cache.shelf('other')]
    one.put('a', 'of one', 100)
    other.put('a', 'of the other', 100)
    expect([one.get('a'), other.get('a')]).toEqual(['of one', 'of the other'])
    expect(cache.shelf('one').get('a')).toBe('of one')
    one.get('a')
    cache.shelf('third').put('a', 'of a third', 100)
    expect([one.get('a'), other.get('a')]).toEqual(['of one', undefined])
  })

  test('is counted on a shelf that was empty for a while, too', () => {
    const cache = new ObjectCache(2 * (100 + overhead))
    const shelf = cache.shelf('one')
    shelf.put('a', 'first', 100)
    for (const key of ['b', 'c']) cache.shelf('other').put(key, key, 100)
    expect(shelf.get('a')).toBeUndefined()
    for (const value of ['again', 'and again']) {
      shelf.put('a', value, 100)
      expect(cache.shelf('one').get('a')).toBe(value)
    }
    for (const key of ['d', 'e']) cache.shelf('other').put(key, key, 100)
    expect(shelf.get('a')).toBeUndefined()
  })
})
