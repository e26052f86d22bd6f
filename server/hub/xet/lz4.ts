import { Refusal } from '../../core/refusal.ts'

const magic = 0x18_4d_22_04
/** A length of 15 in a token goes on in further bytes. */
const moreBytes = 15
const shortestMatch = 4

/**
 * Decompresses an LZ4 frame of a known size. Checksums are not looked at: the caller has a hash of the content.
 * @throws {Refusal} `invalid` for a broken frame, and for one of another size, before more than that is written
 * @see https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 */
export function decompressLz4(frame: Buffer, size: number): Buffer {
  const out = Buffer.alloc(size)
  let written = 0
  let at = endOfHeader(frame)
  for (;;) {
    requireBytes(frame, at, 4)
    const field = frame.readUInt32LE(at)
    at += 4
    if (field === 0) break
    const length = field & 0x7f_ff_ff_ff
    requireBytes(frame, at, length)
    const block = frame.subarray(at, at + length)
    const isPlain = field >>> 31 === 1
    if (isPlain) {
      if (written + length > size) throw tooLong(size)
      written += block.copy(out, written)
    } else written = decompressBlock(block, out, written)
    at += length + (hasBlockChecksums(frame) ? 4 : 0)
  }
  if (written !== size) throw broken(`it has ${written} bytes, and ${size} were announced`)
  return out
}

/** @returns where the first block begins */
function endOfHeader(frame: Buffer): number {
  requireBytes(frame, 0, 7)
  if (frame.readUInt32LE(0) !== magic) throw broken('it does not begin as an LZ4 frame')
  const flags = frame.readUInt8(4)
  if (flags >> 6 !== 1) throw broken('unknown version of LZ4 frames')
  const hasSize = (flags & 0x08) !== 0
  const hasDictionary = (flags & 0x01) !== 0
  if (hasDictionary) throw broken('its dictionary is unknown')
  return 7 + (hasSize ? 8 : 0)
}

function hasBlockChecksums(frame: Buffer): boolean {
  return (frame.readUInt8(4) & 0x10) !== 0
}

/** @returns bytes written in all */
function decompressBlock(block: Buffer, out: Buffer, start: number): number {
  let at = 0
  let written = start

  /** Reads the rest of a length whose beginning is in a token. */
  function lengthFrom(begun: number): number {
    let length = begun
    if (begun < moreBytes) return length
    for (;;) {
      const byte = block[at++]
      if (byte === undefined) throw broken('it ends early')
      length += byte
      if (byte < 255) return length
    }
  }

  while (at < block.length) {
    const token = block[at++] ?? 0
    const literals = lengthFrom(token >> 4)
    requireBytes(block, at, literals)
    if (written + literals > out.length) throw tooLong(out.length)
    block.copy(out, written, at, at + literals)
    at += literals
    written += literals
    // The last sequence is literals alone.
    if (at === block.length) break
    requireBytes(block, at, 2)
    const distance = block.readUInt16LE(at)
    at += 2
    if (distance === 0 || distance > written) throw broken('a match begins before the content')
    const length = lengthFrom(token & 0x0f) + shortestMatch
    if (written + length > out.length) throw tooLong(out.length)
    copyMatch(out, { from: written - distance, to: written, length })
    written += length
  }
  return written
}

/** Copies earlier output; a match longer than its distance repeats itself. */
function copyMatch(
  out: Buffer,
  { from, to, length }: { from: number; to: number; length: number },
): void {
  let copied = 0
  while (copied < length) {
    const step = Math.min(to + copied - from, length - copied)
    out.copyWithin(to + copied, from, from + step)
    copied += step
  }
}

function requireBytes(bytes: Buffer, at: number, count: number): void {
  if (at + count > bytes.length) throw broken('it ends early')
}

function tooLong(size: number): Refusal {
  return broken(`it has more than the ${size} bytes that were announced`)
}

function broken(problem: string): Refusal {
  return new Refusal('invalid', `Broken LZ4 data: ${problem}`)
}
