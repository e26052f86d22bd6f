import { describe, expect, test } from 'vitest'
import { ObjectCache } from '../../../../server/store/objects/object-cache.ts'

/** Beside its own size, and once for each kind on a shelf, as the cache counts it. */
const overhead = 500
/** Has room for so many of 100 bytes, which are of so many kinds. */
const cacheFor = (entries: number, kinds: number) =>
  new ObjectCache(entries * (100 + overhead) + kinds * overhead)

describe('the cache of objects', () => {
  const cacheOf = (entries: number) => shelf(cacheFor(entries, 1), 'a repo')
  const shelf = (cache: ObjectCache, name: string, kind = 'commit') => {
    const whole = cache.shelf(name)
    return {
      get: (key: string) => whole.get(kind, key),
      put: (key: string, value: unknown, size: number) => whole.put(kind, key, value, size),
    }
  }
  const present = (cache: ReturnType<typeof shelf>, ...keys: string[]) =>
    keys.filter((key) => cache.get(key) !== undefined)

  test('evicts the least recently used first', () => {
    const cache = cacheOf(3)
    for (const key of ['a', 'b', 'c']) cache.put(key, key, 100)
    cache.get('a')
    cache.put('d', 'd', 100)
    cache.get('c')
    cache.put('e', 'e', 100)
    expect(present(cache, 'a', 'b', 'c', 'd', 'e')).toEqual(['c', 'd', 'e'])
  })

  test('keeps what is used, however many others are added', () => {
    const cache = cacheOf(2)
    cache.put('used', 'used', 100)
    for (let turn = 0; turn < 10; turn++) {
      cache.put(`other ${turn}`, turn, 100)
      // More than once in a turn is as good as once.
      expect([cache.get('used'), cache.get('used')]).toEqual(['used', 'used'])
    }
    expect(present(cache, 'other 8', 'other 9')).toEqual(['other 9'])
  })

  test('counts an entry once, whatever replaces it', () => {
    const cache = cacheOf(2)
    for (let turn = 0; turn < 10; turn++) cache.put('a', turn, 100)
    cache.put('b', 'b', 100)
    expect([cache.get('a'), cache.get('b')]).toEqual([9, 'b'])
  })

  test('does not keep an entry larger than the cache', () => {
    const cache = cacheOf(2)
    cache.put('a', 'a', 100)
    cache.put('large', 'large', 100_000)
    expect(present(cache, 'a', 'large')).toEqual([])
  })

  test('separates shelves and kinds within one limit', () => {
    const cache = cacheFor(3, 3)
    const [one, other] = [shelf(cache, 'one'), shelf(cache, 'other')]
    one.put('a', 'of one', 100)
    const oneTree = shelf(cache, 'one', 'tree')
    oneTree.put('a', 'tree of one', 100)
    other.put('a', 'of the other', 100)
    expect([one, oneTree, other].map((each) => each.get('a'))).toEqual([
      'of one',
      'tree of one',
      'of the other',
    ])
    expect(shelf(cache, 'one').get('a')).toBe('of one')
    shelf(cache, 'third').put('a', 'of a third', 100)
    expect([one, oneTree, other].map((each) => each.get('a'))).toEqual([
      'of one',
      'tree of one',
      undefined,
    ])
  })

  test('also counts a shelf that was empty for a while', () => {
    const cache = cacheFor(2, 1)
    const one = shelf(cache, 'one')
    one.put('a', 'first', 100)
    for (const key of ['b', 'c']) shelf(cache, 'other').put(key, key, 100)
    expect(one.get('a')).toBeUndefined()
    for (const value of ['again', 'and again']) {
      one.put('a', value, 100)
      expect(shelf(cache, 'one').get('a')).toBe(value)
    }
    for (const key of ['d', 'e']) shelf(cache, 'other').put(key, key, 100)
    expect(one.get('a')).toBeUndefined()
  })

  test('drops a shelf, which makes room for others', () => {
    const cache = cacheFor(4, 2)
    const fill = (name: string) => {
      for (const kind of ['commit', 'tree']) {
        for (const key of ['a', 'b']) shelf(cache, name, kind).put(key, name, 100)
      }
    }
    fill('gone')
    const held = shelf(cache, 'gone')
    cache.clear('gone')
    cache.clear('never there')
    expect(present(held, 'a', 'b')).toEqual([])
    fill('other')
    for (const kind of ['commit', 'tree']) {
      expect(present(shelf(cache, 'other', kind), 'a', 'b')).toEqual(['a', 'b'])
    }
    held.put('a', 'again', 100)
    expect(shelf(cache, 'gone').get('a')).toBe('again')
  })
})
