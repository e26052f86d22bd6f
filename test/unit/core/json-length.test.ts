import { describe, expect, test } from 'vitest'
import { roughJsonLength } from '../../../server/core/json-length.ts'

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
