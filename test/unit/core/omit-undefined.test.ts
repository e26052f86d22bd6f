import { describe, expect, expectTypeOf, test } from 'vitest'
import { omitUndefined } from '../../../server/core/omit-undefined.ts'

describe('an object without its undefined members', () => {
  test('keeps every other value, and the order', () => {
    const given = { b: null, a: undefined, d: false, c: 0, e: '', f: undefined }
    const rest = omitUndefined(given)
    expect(Object.entries(rest)).toEqual([
      ['b', null],
      ['d', false],
      ['c', 0],
      ['e', ''],
    ])
    expect(Object.keys(given)).toHaveLength(6)
  })

  test('is the object itself where nothing is undefined', () => {
    const whole = { a: 1 }
    expect(omitUndefined(whole)).toBe(whole)
    expect(omitUndefined({})).toEqual({})
  })

  test('has for a type that its members may be absent, and are never undefined', () => {
    const given: { a: string; b: number | undefined } = { a: 'x', b: undefined }
    expectTypeOf(omitUndefined(given)).toExtend<{ a: string; b?: number }>()
  })
})
