import { describe, expect, test } from 'vitest'
import { namesTag, parseRange } from '../../../server/hub/files/byte-ranges.ts'

describe('ranges (RFC 9110 §14)', () => {
  test.each([
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=2-', { first: 2, last: 9 }],
    ['bytes=0-100000', { first: 0, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-100', { first: 0, last: 9 }],
    ['Bytes= 9-9 ', { first: 9, last: 9 }],
    ['bytes=0-99999999999999999999999', { first: 0, last: 9 }],
  ])('%s of ten bytes', (header, range) => {
    expect(parseRange(header, 10)).toEqual(range)
  })

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999999-'])(
    '%s of ten bytes is unsatisfiable',
    (header) => {
      expect(parseRange(header, 10)).toBe('unsatisfiable')
    },
  )

  test.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=5-2',
    'bytes=a-b',
    'bytes=0-1,3-4',
    'bytes=1.5-2',
    'bytes=--1',
    'lines=0-1',
  ])('%s is ignored', (header) => {
    expect(parseRange(header, 10)).toBeUndefined()
  })
})

describe('If-None-Match (RFC 9110 §13.1.2)', () => {
  test.each(['"a"', '*', 'W/"a"', '"b", "a"', '"b",W/"a"'])('%s names "a"', (header) => {
    expect(namesTag(header, '"a"')).toBe(true)
  })

  test.each([undefined, '', 'a', '"ab"', '"A"', 'W/"b"'])('%s does not name "a"', (header) => {
    expect(namesTag(header, '"a"')).toBe(false)
  })
})
