import { describe, expect, test } from 'vitest'
import { median, noise } from '../../bench/statistics.ts'

describe('statistics of rounds', () => {
  test('the median does not depend on the order', () => {
    expect(median([9, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })

  test('one disturbed round does not change the median', () => {
    expect(median([10, 10, 10, 10, 1000])).toBe(10)
    expect(noise([10, 10, 10, 10, 1000])).toBe(0)
  })

  test('the spread is a share of the median', () => {
    expect(noise([8, 9, 10, 11, 12])).toBeCloseTo(0.1)
  })

  test('no values are refused', () => {
    expect(() => median([])).toThrow('there are no values')
  })
})
