import { describe, expect, test } from 'vitest'
import { locateJson, placeOf } from '../../../server/core/locate-json.ts'

const offsetsOf = (text: string) => {
  const located = locateJson(text)
  return 'offsets' in located ? Object.fromEntries(located.offsets) : located
}

describe('values of a JSON text', () => {
  test('are found by their paths', () => {
    expect(offsetsOf(' { "a": [1, {"b": null}], "c" : "\\u00e9\\n" }')).toEqual({
      '': 1,
      a: 3,
      'a[0]': 9,
      'a[1]': 12,
      'a[1].b': 13,
      c: 26,
    })
  })

  test.each(['0', '-1.5e+3', 'true', '""', '[]', '{}', '[[], {}]', '\t"x"\r\n'])(
    'JSON.parse accepts %j, too',
    (text) => {
      expect(() => void JSON.parse(text)).not.toThrow()
      expect(locateJson(text)).toHaveProperty('offsets')
    },
  )

  test('of two members with one name, the last is found', () => {
    expect(offsetsOf('{"a":1,"a":2}')).toMatchObject({ a: 7 })
  })
})

test.each([
  ['', 0, 'expected a value, but the text ends'],
  ['{"a":1,}', 7, 'expected a name in double quotes, but found "}"'],
  ['{"a" 1}', 5, 'expected ":" after the name, but found "1"'],
  ['{"a":1 "b":2}', 7, 'expected "," or "}" after the value, but found "\\""'],
  ['[1 2]', 3, 'expected "," or "]" after the value, but found "2"'],
  ['{a:1}', 1, 'expected a name in double quotes, but found "a"'],
  ["{'a':1}", 1, 'expected a name in double quotes, but found "\'"'],
  ['[01]', 1, 'expected a value, but found "0"'],
  ['[nul]', 1, 'expected a value, but found "n"'],
  ['"a\nb"', 0, 'expected a value, but found "\\""'],
  ['{} // why', 3, 'expected nothing after the JSON value, but found "/"'],
  ['<html>', 0, 'expected a value, but found "<"'],
])('%j is not JSON at %i', (text, offset, message) => {
  expect(() => void JSON.parse(text)).toThrow(SyntaxError)
  expect(locateJson(text)).toEqual({ error: { offset, message } })
})

test.each([
  ['abc', 0, 1, 1],
  ['a\nbc', 3, 2, 2],
  ['a\r\nb', 3, 2, 1],
  ['a\rb', 2, 2, 1],
  ['a\n', 2, 2, 1],
])('%j has offset %i at line %i, column %i', (text, offset, line, column) => {
  expect(placeOf(text, offset)).toEqual({ line, column })
})
