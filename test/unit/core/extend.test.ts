import { describe, expect, test } from 'vitest'
import { extend } from '../../../server/core/extend.ts'
import { collectGarbage } from '../../helpers/collect-garbage.ts'
import { shareHiddenClass } from '../../helpers/hidden-class.ts'

describe('an object with more members', () => {
  test('has those of both, the later ones in place of its own, and leaves it as it was', () => {
    const object = Object.freeze({ a: 1, b: 2 })
    expect(extend(object, { b: 'other', c: 3 })).toEqual({ a: 1, b: 'other', c: 3 })
    expect(object).toEqual({ a: 1, b: 2 })
  })

  test('is of the same hidden class as all that are made of such objects', async () => {
    await collectGarbage()
    // The first few are made otherwise, before the engine has learnt what comes there.
    const many = Array.from({ length: 100 }, (_, a) => extend({ a, b: 2 }, { c: 3, d: 4 }))
    expect(shareHiddenClass(many)).toBe(true)
  })
})
