import { describe, expect, test } from 'vitest'
import {
  formatAgo,
  formatMoment,
  formatSpan,
  formatTook,
  shorten,
} from '../../../renderer/lib/format.ts'

describe('times in a few letters', () => {
  test.each([
    [0, '0s'],
    [61_000, '1m 1s'],
    [93_784_000, '1d 2h'],
    [86_400_000 + 5000, '1d'],
    [59_999, '59s'],
  ])('span of %i ms', (ms, text) => expect(formatSpan(ms)).toBe(text))

  test.each([
    [0, 'now'],
    [42_000, '42s ago'],
    [3_600_000, '1h ago'],
    [-60_000, 'in 1m'],
  ])('%i ms ago', (ms, text) => expect(formatAgo(ms)).toBe(text))

  test.each([
    [0.4, '<1 ms'],
    [12.3, '12 ms'],
    [999.6, '1.0 s'],
    [3400, '3.4 s'],
    [12_000, '12.0 s'],
    [59_980, '59s'],
    [90_000, '1m 30s'],
  ])('took %d ms', (ms, text) => expect(formatTook(ms)).toBe(text))
})

describe('shortened ids', () => {
  test('keeps the ends, and short ones whole', () => {
    expect(shorten('0123456789abcdef', 4, 2)).toBe('0123…ef')
    expect(shorten('0123456789abcdef', 7, 0)).toBe('0123456…')
    expect(shorten('012345', 4, 2)).toBe('012345')
  })
})

test('a moment is a time of day, and has its date on another day', () => {
  const now = new Date(2026, 10, 26, 14, 3, 22).getTime()
  expect(formatMoment(now - 61_000, now)).toBe('14:02:21')
  expect(formatMoment(now - 86_400_000, now)).toMatch(/25.*14:03/)
  expect(formatMoment(now - 366 * 86_400_000, now)).toMatch(/2025/)
})
