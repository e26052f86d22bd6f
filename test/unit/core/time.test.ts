import { describe, expect, test } from 'vitest'
import { isoTime, parseTime } from '../../../server/core/time.ts'

describe('time formats', () => {
  test('times are written in UTC with milliseconds', () => {
    expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(isoTime(1_767_323_045_006)).toBe('2026-01-02T03:04:05.006Z')
  })

  test('times outside the range of dates are refused', () => {
    for (const ms of [Number.NaN, Number.NaN, Infinity, 8.64e15 + 1, 8.64e15 + 1]) {
      expect(() => isoTime(ms)).toThrow(RangeError)
    }
  })

  test('ISO 8601 is read, with an offset too', () => {
    expect(parseTime('2026-01-02T03:04:05.006Z')).toBe(1_767_323_045_006)
    expect(parseTime('2026-01-02T05:04:05.006+02:00')).toBe(1_767_323_045_006)
  })

  test('HTTP dates are read (RFC 9110 §5.6.7)', () => {
    expect(parseTime('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(784_111_777_000)
  })

  test('other strings are not times', () => {
    for (const text of ['', 'soon', '2026-13-01T00:00:00Z']) {
      expect(parseTime(text)).toBeUndefined()
    }
  })
})
