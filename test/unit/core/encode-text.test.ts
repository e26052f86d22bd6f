import { describe, expect, test } from 'vitest'
import { beginningOf, encodeText, hasHalfCharacter } from '../../../server/core/encode-text.ts'

describe('encoding of foreign strings in URLs', () => {
  test.each([
    ['a b/c', 'a%20b%2Fc'],
    ['😀', '%F0%9F%98%80'],
    ['a\ud800b', 'a%EF%BF%BDb'],
    ['\udc00\ud800', '%EF%BF%BD%EF%BF%BD'],
  ])('%j', (text, encoded) => {
    expect(encodeText(text)).toBe(encoded)
    expect(hasHalfCharacter(text)).toBe(encoded.includes('%EF%BF%BD'))
    // Asked twice it says the same.
    expect(hasHalfCharacter(text)).toBe(encoded.includes('%EF%BF%BD'))
  })
})

test.each([
  ['short', 9, 'short'],
  ['longer', 4, 'long'],
  ['ab😀c', 3, 'ab'],
  ['ab😀c', 4, 'ab😀'],
  ['😀', 1, ''],
])('the beginning of %j, of %i characters, is %j', (text, length, beginning) => {
  expect(beginningOf(text, length)).toBe(beginning)
})
