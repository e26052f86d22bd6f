import { describe, expect, test } from 'vitest'
import { createTurnover } from '../../../server/core/turnover.ts'

describe('what is under way', () => {
  test('is what has begun and not ended, in whichever order it ends', () => {
    const underWay = createTurnover<string>()
    const ends = new Map(['a', 'b', 'c', 'd'].map((name) => [name, underWay.begin(name)]))
    for (const name of ['b', 'd', 'a', 'c']) {
      expect([...underWay]).toContain(name)
      const before = underWay.size
      ends.get(name)?.()
      expect([...underWay]).not.toContain(name)
      expect(underWay.size).toBe(before - 1)
    }
    underWay.begin('e')
    expect([...underWay]).toEqual(['e'])
  })

  test('may hold the same twice', () => {
    const underWay = createTurnover<string>()
    const end = underWay.begin('a')
    underWay.begin('a')
    end()
    expect([...underWay]).toEqual(['a'])
  })

  test('may end while all are gone through', () => {
    const underWay = createTurnover<() => void>()
    let ended = 0
    for (let count = 0; count < 10; count++) {
      const end = underWay.begin(() => {
        ended++
        end()
      })
    }
    for (const stop of underWay) stop()
    expect([ended, underWay.size]).toEqual([10, 0])
  })
})
