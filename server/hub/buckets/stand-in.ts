import { createCipheriv, createHash } from 'node:crypto'
import type { KeptChunk } from '../../store/objects/chunk-table.ts'
import type { LfsContents } from '../../store/objects/lfs-contents.ts'
import type { XetTerm } from '../../store/objects/xet-contents.ts'
import { cutChunks } from '../xet/cut-chunks.ts'
import { hashText, loadedXetHashes } from '../xet/hashes.ts'

// A stand-in has the size of a file of the real Hub, and a content that is generated from the hash of that file: one block
// again and again. So a file of many gigabytes takes no more room than its block, and no time to load.

/** File of the real Hub that a stand-in replaces. */
export interface Original {
  /** SHA-256 of the file, or its id in git. */
  readonly of: string
  /** In bytes, at least 1. */
  readonly size: number
}

/** First line of each block, for a person who looks into the file. */
const firstLine = 'hub-sandbox: this is a stand-in, not the file of the Hub\n'
const leastBlock = 256 * 1024
const mostBlock = 4 * 1024 * 1024
/** Most blocks of a file, unless its blocks are as large as they get. */
const usualBlocks = 1024

/** Block of a stand-in. It ends where a chunk of Xet ends, so that each repetition has the same chunks. */
interface Block {
  readonly bytes: Buffer
  readonly chunks: readonly Uint8Array[]
}

/**
 * Returns the SHA-256 of the content of a stand-in: 64 hex digits. Takes about a second for each GB.
 */
export function hashStandIn(original: Original): string {
  const { bytes } = blockOf(original)
  const hash = createHash('sha256')
  let left = original.size
  for (; left >= bytes.length; left -= bytes.length) hash.update(bytes)
  return hash.update(bytes.subarray(0, left)).digest('hex')
}

/**
 * Stores the content of a stand-in as chunks of one small xorb. The hashes of Xet were loaded before.
 * @param standIn `oid`: the result of {@link hashStandIn}
 * @throws {StateError} when the disk refuses it
 */
export function storeStandIn(
  { lfs }: { readonly lfs: Pick<LfsContents, 'keepOwn'> },
  { oid, ...original }: Original & { readonly oid: string },
): void {
  const { size } = original
  const block = blockOf(original)
  const hashes = loadedXetHashes()
  const tail = [...cutChunks(block.bytes.subarray(0, size % block.bytes.length))]
  const parts = size < block.bytes.length ? tail : [...block.chunks, ...tail]
  const chunks = parts.map((bytes) => ({ hash: hashes.chunk(bytes), length: bytes.length }))
  const xorbHasher = hashes.chunks()
  for (const { hash, length } of chunks) xorbHasher.add(hash, length)
  const xorb = hashText(xorbHasher.xorbHash())

  const repeated = chunks.length - tail.length
  const count = Math.floor(size / block.bytes.length)
  const whole = { xorb, start: 0, end: repeated, from: 0, bytes: block.bytes.length }
  const rest = {
    xorb,
    start: repeated,
    end: chunks.length,
    from: repeated === 0 ? 0 : block.bytes.length,
    bytes: size % block.bytes.length,
  }
  const terms: XetTerm[] = Array.from({ length: count }, () => whole)
  if (rest.bytes > 0) terms.push(rest)
  const hash = hashFile(chunks, terms)
  lfs.keepOwn(oid, { hash, size, terms }, { hash: xorb, content: Buffer.concat(parts), chunks })
}

function hashFile(chunks: readonly KeptChunk[], terms: readonly XetTerm[]): string {
  const hasher = loadedXetHashes().chunks()
  for (const { start, end } of terms) {
    for (const { hash, length } of chunks.slice(start, end)) hasher.add(hash, length)
  }
  return hashText(hasher.fileHash())
}

function blockOf({ of, size }: Original): Block {
  let length = leastBlock
  while (length < mostBlock && length * usualBlocks < size) length *= 4
  const key = createHash('sha256').update(`hub-sandbox stand-in ${of}`).digest()
  const bytes = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length))
  bytes.write(firstLine, 'latin1')
  // The last chunk ends only because the bytes do.
  const chunks = [...cutChunks(bytes)].slice(0, -1)
  return { bytes: bytes.subarray(0, sum(chunks)), chunks }
}

function sum(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((total, { length }) => total + length, 0)
}
