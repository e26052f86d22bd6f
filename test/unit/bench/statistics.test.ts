import { describe, expect, test } from 'vitest'
import { median, noise } from '../../bench/statistics.ts'

describe('statistics of rounds', () => {
  test('takes the value in the middle, whatever the order', () => {
    expect(median([9, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })

  test('is not moved by one disturbed round', () => {
    expect(median([10, 10, 10, 10, 1000])).toBe(10)
    expect(noise([10, 10, 10, 10, 1000])).toBe(0)
  })

  test('tells the spread as a share of the median', () => {
    expect(noise([8, 9, 10, 11, 12])).toBeCloseTo(0.1)
  })

  test('refuses to make something of nothing', () => {
    expect(() => median([])).toThrow('there are no values')
  })
})
