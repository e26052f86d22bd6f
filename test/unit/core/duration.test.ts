import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseDuration } from '../../../server/contract/durations.ts'
import { formatDuration, wholeSeconds } from '../../../server/core/duration.ts'

describe('durations', () => {
  test.each([
    ['8h', 28_800_000],
    ['90s', 90_000],
    ['1h30m', 5_400_000],
    ['250ms', 250],
    ['1.5s', 1500],
    ['30d', 2_592_000_000],
    ['0s', 0],
    ['0.000001ms', 0.000001],
    ['0.0000001ms', 0],
  ])('reads %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms)
  })

  test.each([
    '',
    '8',
    'h',
    '8 h',
    '-1s',
    '1s ',
    'x1s',
    '1s2',
    '1e3s',
    '1..5s',
    '8H',
    'Infinitys',
    `${'9'.repeat(320)}h`,
    `${'1'.repeat(30)}h`,
  ])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeUndefined()
  })

  test('a duration is written in its shortest exact form and read back', () => {
    expect(formatDuration(28_800_000)).toBe('8h')
    expect(formatDuration(90_000)).toBe('90s')
    expect(formatDuration(0)).toBe('0ms')
    fc.assert(
      fc.property(
        fc.oneof(fc.maxSafeNat(), fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
        (ms) => {
          expect(parseDuration(formatDuration(ms))).toBe(ms)
        },
      ),
    )
  })
})

test.each([
  [0, 0],
  [1, 1],
  [400, 1],
  [1000, 1],
  [1400, 2],
])('%s ms are rounded up to %s s (RFC 6749 §5.1)', (ms, seconds) => {
  expect(wholeSeconds(ms)).toBe(seconds)
})
