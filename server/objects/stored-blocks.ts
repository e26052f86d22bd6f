import { deflateSync } from 'node:zlib'
import { adler32 } from './adler32.ts'

// What zlib writes of what it cannot make smaller (RFC 1950 2.2, RFC 1951 3.2.4).

/** Of a block: its length has 16 bits. */
export const mostStored = 0xffff
/** Bytes that stand before the content of each block. */
export const storedHead = 5

export function headOfStored(length: number, isLast: 0 | 1 = 0): Buffer {
  const head = Buffer.alloc(storedHead)
  head.writeUInt8(isLast)
  head.writeUInt16LE(length, 1)
  head.writeUInt16LE(length ^ 0xffff, 3)
  return head
}

/** What comes first, with a block of its own for what stands before a content. */
export function beginStored(header: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(0x78, 0x01), headOfStored(header.length), header])
}

/** @param sum of all, see {@link adler32} */
export function endStored(sum: number): Buffer {
  const end = Buffer.concat([headOfStored(0, 1), Buffer.alloc(4)])
  end.writeUInt32BE(sum, storedHead)
  return end
}

/** All of it at once. */
export function store(header: Uint8Array, content: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let start = 0; start < content.length; start += mostStored) {
    const block = content.subarray(start, start + mostStored)
    blocks.push(headOfStored(block.length), block)
  }
  const sum = adler32(content, adler32(header))
  return Buffer.concat([beginStored(header), ...blocks, endStored(sum)])
}

/** What gets no smaller than so is not worth the work, nor the memory that packing leaves behind for each byte of it. */
const worthwhile = 0.97
export const sampleBytes = 4 * 1024
const mostSamples = 8
/** What lies between a sample and the next one, at least. */
const samplesApart = 16 * 1024

/** Where to look at a content to tell whether it {@link isDense}: nowhere in one that is small. */
export function samplePlaces(size: number): number[] {
  const samples = Math.min(mostSamples, Math.floor(size / samplesApart))
  if (samples < 2) return []
  const apart = (size - sampleBytes) / (samples - 1)
  return Array.from({ length: samples }, (_, number) => Math.floor(number * apart))
}

/** Whether what these are samples of is packed already, as images and archives are, as far as they tell. */
export function isDense(samples: readonly Uint8Array[], level: number): boolean {
  if (samples.length === 0) return false
  const all = Buffer.concat(samples)
  // One buffer is enough for what comes out, and it is no larger than it has to be.
  const packed = deflateSync(all, { level, chunkSize: all.length + 64 })
  return packed.length > all.length * worthwhile
}
