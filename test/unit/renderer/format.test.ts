import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  formatAgo,
  formatDateTime,
  formatDay,
  formatInstant,
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

test('a date reads the same everywhere, whatever the language of the browser', () => {
  const at = new Date(2026, 10, 30, 9, 5, 7, 42).getTime()
  expect(formatDateTime(at)).toBe('Nov 30, 2026, 09:05:07')
  expect(formatInstant(new Date(at).toISOString())).toBe('Nov 30, 2026, 09:05:07.042')
  expect(formatDay(at)).toBe('Nov 30')
  expect(formatMoment(at, at + 86_400_000)).toBe('Nov 30, 09:05')
  expect(formatMoment(at, at + 400 * 86_400_000)).toBe('Nov 30, 2026')
})

test('no other file of the dashboard formats a date', () => {
  const folder = join(import.meta.dirname, '../../../renderer')
  const strays = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.tsx?$/.test(path) &&
      path !== join('lib', 'format.ts') &&
      /Intl\.DateTimeFormat|toLocale(?:Date|Time)?String/.test(
        readFileSync(join(folder, path), 'utf8'),
      ),
  )
  expect(strays).toEqual([])
})
