import { describe, expect, test } from 'vitest'
import { storeContent } from '../../../../server/hub/buckets/store-content.ts'
import { storeStream } from '../../../../server/hub/buckets/store-stream.ts'
import { chunkEnd } from '../../../../server/hub/xet/cut-chunks.ts'
import { loadXetHashes } from '../../../../server/hub/xet/hashes.ts'
import { createMemoryObjects } from '../../../../server/store/objects/memory-objects.ts'
import { noise } from '../../../helpers/xet-files.ts'

/** Bytes of SplitMix64, of which the reference implementation publishes the chunks. */
function splitMix(length: number, seed: bigint): Buffer {
  const bytes = Buffer.alloc(length)
  const multiplied = (number: bigint, factor: bigint) => BigInt.asUintN(64, number * factor)
  let state = seed
  for (let at = 0; at < length; at += 8) {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
    let next = multiplied(state ^ (state >> 30n), 0xbf58476d1ce4e5b9n)
    next = multiplied(next ^ (next >> 27n), 0x94d049bb133111ebn)
    bytes.writeBigUInt64LE(next ^ (next >> 31n), at)
  }
  return bytes
}

function endsOf(content: Uint8Array): number[] {
  const ends: number[] = []
  for (let end = 0; end < content.length;) {
    end = chunkEnd(content, end)
    ends.push(end)
  }
  return ends
}

describe('chunks of Xet', () => {
  test('end where the reference implementation ends them', () => {
    // https://github.com/huggingface/xet-core/blob/main/xet_data/src/deduplication/chunking.rs
    expect(endsOf(splitMix(1_000_000, 0n))).toEqual([
      84_493, 134_421, 144_853, 243_318, 271_793, 336_457, 467_529, 494_581, 582_000, 596_735,
      616_815, 653_164, 678_202, 724_510, 815_591, 827_760, 958_832, 991_092, 1_000_000,
    ])
    const most = 131_072
    const whole = [1, 2, 3, 4, 5, 6, 7].map((count) => count * most)
    expect(endsOf(Buffer.alloc(1_000_000, 59))).toEqual([...whole, 1_000_000])
  })

  test('have 8 KiB at least, whatever their content says', () => {
    // The 64 bytes before an end decide about it; repeated, they would end a chunk each time.
    const content = splitMix(1_000_000, 0n)
    const window = content.subarray(84_493 - 64, 84_493)
    const repeated = Buffer.alloc(30_000, window)
    expect(endsOf(repeated)).toEqual([8192, 16_384, 24_576, 30_000])
    // A window that ends a byte too early counts for nothing, and one behind it does.
    const early = Buffer.concat([Buffer.alloc(8191 - 64, 59), window, Buffer.alloc(10_000, 59)])
    expect(endsOf(early)).toEqual([early.length])
    const late = Buffer.concat([Buffer.alloc(8192 - 64, 59), window, Buffer.alloc(10_000, 59)])
    expect(endsOf(late)).toEqual([8192, late.length])
    // Some bytes alone would end one, before there are 64.
    for (let byte = 0; byte < 256; byte++) {
      expect(endsOf(Buffer.alloc(10_000, byte))).toEqual([10_000])
    }
  })

  test.each([0, 1, 8191, 200_000])('of %i bytes are all there', (length) => {
    expect(endsOf(noise(length)).at(-1) ?? 0).toBe(length)
  })

  test('are the same for a stream, in whatever pieces it comes', async () => {
    await loadXetHashes()
    // More than a xorb of those that the sandbox makes.
    const content = noise(17_000_000)
    const { lfs } = createMemoryObjects()
    const whole = storeContent({ lfs }, content)
    for (const bytes of [65_536, 3_000_001]) {
      async function* pieces() {
        for (let at = 0; at < content.length; at += bytes) yield content.subarray(at, at + bytes)
      }
      const streamed = createMemoryObjects()
      expect(await storeStream(streamed, pieces())).toEqual(whole)
      expect(streamed.lfs.xetFile(whole.oid)?.terms.length).toBe(2)
      expect(content.equals(streamed.lfs.read(whole.oid))).toBe(true)
    }
  })
})
