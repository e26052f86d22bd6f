import { describe, expect, test } from 'vitest'
import { Refusal } from '../../../../server/core/refusal.ts'
import { decompressLz4 } from '../../../../server/hub/xet/lz4.ts'

const start = Buffer.from('04224d186040bb', 'hex')
const end = Buffer.alloc(4)

/** Wraps blocks in a frame, as the specification of LZ4 describes it. */
function frameOf(blocks: readonly (readonly [Buffer, 'plain' | 'packed'])[], head = start): Buffer {
  const parts = blocks.map(([bytes, kind]) => {
    const size = Buffer.alloc(4)
    size.writeUInt32LE(bytes.length + (kind === 'plain' ? 0x80_00_00_00 : 0))
    return Buffer.concat([size, bytes])
  })
  return Buffer.concat([head, ...parts, end])
}

/** "abc" and a match of 12 bytes at a distance of 3, then "xyzzy": `abcabcabcabcabcxyzzy`. */
const repeated = Buffer.from([0x38, 97, 98, 99, 3, 0, 0x50, 120, 121, 122, 122, 121])
const text = 'abcabcabcabcabcxyzzy'

describe('LZ4', () => {
  test.each<[string, Buffer, string]>([
    ['a block', frameOf([[repeated, 'packed']]), text],
    ['a block without compression', frameOf([[Buffer.from('plain'), 'plain']]), 'plain'],
    [
      'two blocks, the second of which refers to the first',
      frameOf([
        [Buffer.from('hello '), 'plain'],
        [Buffer.from([0x02, 6, 0, 0x10, 33]), 'packed'],
      ]),
      'hello hello !',
    ],
    ['no block', frameOf([]), ''],
    [
      'a content size in its header',
      frameOf(
        [[Buffer.from('plain'), 'plain']],
        Buffer.from('04224d1868400500000000000000aa', 'hex'),
      ),
      'plain',
    ],
  ])('unpacks %s', (_name, frame, expected) => {
    expect(String(decompressLz4(frame, expected.length))).toBe(expected)
  })

  test('unpacks long lengths', () => {
    const literals = Buffer.alloc(15 + 255 + 10, 'x')
    const block = Buffer.concat([Buffer.from([0xf0, 255, 10]), literals])
    expect(decompressLz4(frameOf([[block, 'packed']]), literals.length)).toEqual(literals)
  })

  test.each<[string, Buffer, number, string]>([
    ['another beginning', Buffer.from('not a frame'), 5, 'does not begin as an LZ4 frame'],
    ['an early end', frameOf([[repeated, 'packed']]).subarray(0, -8), text.length, 'it ends early'],
    ['more than was announced', frameOf([[repeated, 'packed']]), 10, 'more than the 10 bytes'],
    ['less than was announced', frameOf([[repeated, 'packed']]), 30, '20 bytes, and 30 were'],
    [
      'a match before its beginning',
      frameOf([[Buffer.from([0x10, 97, 2, 0, 0]), 'packed']]),
      5,
      'a match begins before the content',
    ],
    ['a dictionary', frameOf([], Buffer.from('04224d186140bb', 'hex')), 0, 'dictionary'],
    [
      'a billion bytes',
      frameOf([[Buffer.from([0x1f, 97, 1, 0, 255, 255]), 'packed']]),
      100,
      'ends early',
    ],
  ])('refuses %s', (_name, frame, size, message) => {
    expect(() => decompressLz4(frame, size)).toThrow(Refusal)
    expect(() => decompressLz4(frame, size)).toThrow(message)
  })
})
