import { expect, test } from 'vitest'
import {
  headBytes,
  packLoose,
  readLooseHeader,
} from '../../../../server/store/objects/loose-object.ts'

test('reads the header of an object behind long tables', () => {
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

test('compresses only if it takes less space on disk', () => {
  const text = (length: number) =>
    Buffer.from('All work and no play. '.repeat(length)).subarray(0, length)
  const ofOneBlock = packLoose({ type: 'blob', content: text(4000) })
  expect(ofOneBlock.includes(text(4000))).toBe(true)
  expect(ofOneBlock.length).toBeLessThanOrEqual(4096)
  expect(readLooseHeader(ofOneBlock.subarray(0, headBytes)).size).toBe(4000)
  expect(packLoose({ type: 'blob', content: text(4096) }).length).toBeLessThan(500)
})
