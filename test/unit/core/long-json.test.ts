import { describe, expect, test } from 'vitest'
import { roughJsonLength, writeJson } from '../../../server/core/long-json.ts'
import { finish } from '../../../server/core/slices.ts'

const long = 'ä"\n'.repeat(40_000)

describe('writeJson', () => {
  test.each<[string, unknown]>([
    ['short values', { a: [1, null, 'x', true, undefined], b: undefined }],
    ['a long string', long],
    ['a list of long values', [long, undefined, [long, { a: long }], 1]],
    ['an object with long members', { a: long, 'b"': { c: undefined, d: [long] }, e: undefined }],
    ['long values that are empty otherwise', { list: [], object: {}, text: long, none: null }],
    ['a date beside a long value', { at: new Date(0), text: long }],
  ])('writes %s as JSON.stringify does', (_, value) => {
    expect(finish(writeJson(value)).toString()).toBe(JSON.stringify(value))
  })

  test('stops between the members of a long value', () => {
    const steps = [...writeJson(Array.from({ length: 100 }, () => long))]
    expect(steps.length).toBeGreaterThan(100)
  })
})

describe('roughJsonLength', () => {
  test('is near the length of the JSON', () => {
    const value = Array.from({ length: 100 }, (_, id) => ({ id, name: `name-${id}`, tags: ['a'] }))
    const { length } = JSON.stringify(value)
    expect(roughJsonLength(value)).toBeGreaterThan(length * 0.8)
    expect(roughJsonLength(value)).toBeLessThan(length * 2)
  })

  test('ends at the given length', () => {
    let read = 0
    const list = Array.from({ length: 1000 }, () => ({
      get text() {
        read += 1
        return 'x'.repeat(100)
      },
    }))
    expect(roughJsonLength(list, 1000)).toBeGreaterThan(1000)
    expect(read).toBeLessThan(20)
  })
})
