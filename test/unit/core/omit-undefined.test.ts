import { describe, expect, expectTypeOf, test } from 'vitest'
import { omitUndefined } from '../../../server/core/omit-undefined.ts'

describe('an object without its undefined members', () => {
  test('defined values are kept in their order', () => {
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

  test('an object without undefined members is returned itself', () => {
    const whole = { a: 1 }
    expect(omitUndefined(whole)).toBe(whole)
    expect(omitUndefined({})).toEqual({})
  })

  test('the type has optional members that are never undefined', () => {
    const given: { a: string; b: number | undefined } = { a: 'x', b: undefined }
    expectTypeOf(omitUndefined(given)).toExtend<{ a: string; b?: number }>()
  })
})
