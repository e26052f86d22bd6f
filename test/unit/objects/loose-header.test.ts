import { expect, test } from 'vitest'
import { headBytes, packLoose, readLooseHeader } from '../../../server/objects/loose-object.ts'

test('reads the header of what has long tables before it', () => {
  // As random as texts are in which many letters are outside of ASCII, and the same each time.
  let seed = 1
  const letter = () => String.fromCodePoint(32 + ((seed = (seed * 48_271) % 2_147_483_647) % 3000))
  const content = Buffer.from(Array.from({ length: 10_000 }, letter).join(''))
  const file = packLoose({ type: 'blob', content })
  expect(() => readLooseHeader(file.subarray(0, 96))).toThrow('does not begin')
  expect(readLooseHeader(file.subarray(0, headBytes))).toMatchObject({
    type: 'blob',
    size: content.length,
  })
})
