import * as fc from 'fast-check'
import { Refusal } from '../../../server/core/refusal.ts'
import { decompressLz4 } from '../../../server/hub/xet/lz4.ts'
import { parseShardFiles } from '../../../server/hub/xet/shard.ts'
import { mostXorbBytes, readXorb } from '../../../server/hub/xet/xorb.ts'
import { must, refuses, target } from '../target.ts'

/** Bytes, some of which are changed in a copy: `[position, value]` each. */
interface Changed {
  readonly length: number
  readonly changes: readonly (readonly [number, number])[]
}

const changed: fc.Arbitrary<Changed> = fc.record({
  length: fc.nat({ max: 600 }),
  changes: fc.array(
    fc.tuple(
      fc.nat({ max: 600 }),
      fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(0, 1, 2, 88, 255)),
    ),
    { maxLength: 6 },
  ),
})

function change(bytes: Buffer, { length, changes }: Changed): Buffer {
  const copy = Buffer.from(bytes.subarray(0, length === 0 ? bytes.length : length))
  for (const [position, value] of changes) if (position < copy.length) copy[position] = value
  return copy
}

/** "abc" and a match of it, then "xyzzy". */
const block = Buffer.from([0x38, 97, 98, 99, 3, 0, 0x50, 120, 121, 122, 122, 121])
const unpacked = 20
const frame = Buffer.concat([
  Buffer.from('04224d186040bb', 'hex'),
  Buffer.from([block.length, 0, 0, 0]),
  block,
  Buffer.alloc(4),
])

const chunk = (scheme: number, packed: Buffer, length: number) => {
  const header = Buffer.alloc(8)
  header.writeUIntLE(packed.length, 1, 3)
  header.writeUInt8(scheme, 4)
  header.writeUIntLE(length, 5, 3)
  return Buffer.concat([header, packed])
}
const xorb = Buffer.concat([
  chunk(0, Buffer.from('plain'), 5),
  chunk(1, frame, unpacked),
  chunk(2, frame, unpacked),
])

const entry = (hash: number, ...numbers: readonly number[]) => {
  const bytes = Buffer.alloc(48)
  bytes.fill(hash, 0, 32)
  for (const [index, value] of numbers.entries()) bytes.writeUInt32LE(value, 32 + index * 4)
  return bytes
}
const shardHead = Buffer.alloc(48)
shardHead.write('HFRepoMetaData\0UigEj{\x81W\x83\xa5\xbd\xd9\\\xcd\xd1J\xa9', 'latin1')
shardHead.writeUInt8(2, 32)
const shard = Buffer.concat([
  shardHead,
  entry(1, 0xc0_00_00_00, 2),
  entry(2, 0, 10, 0, 1),
  entry(2, 0, 20, 1, 3),
  entry(3),
  entry(4),
  entry(5),
  entry(255),
])

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** What clients upload to the Xet storage. */
export const xetTargets = [
  target({
    name: 'lz4',
    inputs: changed,
    check(input) {
      refuses(Refusal, () => {
        must(decompressLz4(change(frame, input), unpacked).length === unpacked, 'another size')
      })
    },
  }),
  target({
    name: 'xorb',
    inputs: fc.tuple(changed, fc.integer({ min: 1, max: 100 })),
    async check([input, size]) {
      let bytes = 0
      try {
        for await (const { content, length } of readXorb(pieces(change(xorb, input), size))) {
          must(content.length === length, 'another length')
          bytes += length
        }
      } catch (error) {
        must(error instanceof Refusal, String(error))
      }
      must(bytes <= mostXorbBytes, 'too many bytes')
    },
  }),
  target({
    name: 'shard',
    inputs: changed,
    check(input) {
      refuses(Refusal, () => {
        for (const { hash, terms } of parseShardFiles(change(shard, input))) {
          must(/^[0-9a-f]{64}$/.test(hash), 'no hash')
          must(
            terms.every(({ start, end }) => start < end),
            'an empty term',
          )
        }
      })
    },
  }),
]
