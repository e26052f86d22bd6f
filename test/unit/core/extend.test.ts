import { describe, expect, test } from 'vitest'
import { extend } from '../../../server/core/extend.ts'

describe('an object with more members', () => {
  test('has those of both, the later ones in place of its own, and leaves it as it was', () => {
    const object = Object.freeze({ a: 1, b: 2 })
    expect(extend(object, { b: 'other', c: 3 })).toEqual({ a: 1, b: 'other', c: 3 })
    expect(object).toEqual({ a: 1, b: 2 })
  })
})
