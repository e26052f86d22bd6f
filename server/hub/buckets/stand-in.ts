import { createCipheriv, createHash } from 'node:crypto'
import type { KeptChunk } from '../../store/objects/chunk-table.ts'
import type { LfsContents } from '../../store/objects/lfs-contents.ts'
import type { OwnXorb, XetTerm } from '../../store/objects/xet-contents.ts'
import { cutChunks, leastChunkBytes } from '../xet/cut-chunks.ts'
import type { TreeNode } from '../xet/chunk-tree.ts'
import { hashText, loadedXetHashes, type XetHashes } from '../xet/hashes.ts'
import { mostChunkBytes } from '../xet/xorb.ts'

// A stand-in has the size of a file of the real Hub. Its first 8 KiB are generated from the hash of that file; the rest is
// the same in all stand-ins and stored once, so that a large one takes little room and time. It has as many long pieces as
// fit, then short ones, then the beginning of one. Each piece is a chunk of Xet, and ends where clients end it, too, so
// that the content has the hashes that they compute.

/** File of the real Hub that a stand-in replaces. */
export interface Original {
  /** SHA-256 of the file, or its id in git. */
  readonly of: string
  /** In bytes, at least 1. */
  readonly size: number
}

/** First line, for a person who looks into the file. */
const firstLine = 'hub-sandbox: this is a stand-in, not the file of the Hub\n'
const [short, long] = [leastChunkBytes, mostChunkBytes]
/** Short pieces that the common xorb has before the long ones: as many as fit before another long one does. */
const shortCount = long / short - 1
/** Long pieces of the common xorb: for usual files, and for those above 16 GB, whose list of terms would be long. */
const longCounts = { usual: 32, huge: 128 }
const hugeBytes = 16e9
/** Bytes before the end of a chunk that decide it. */
const windowBytes = 64

/** Pieces that all stand-ins have in common. */
interface Pieces {
  readonly short: Buffer
  readonly long: Buffer
  /** End of a short piece, where clients end a chunk. */
  readonly end: Uint8Array
}

let pieces: Pieces | undefined

/** Returns the SHA-256 of the content of a stand-in: 64 hex digits. Takes about a second for each GB. */
export function hashStandIn(original: Original): string {
  const common = commonPieces()
  const hash = createHash('sha256')
  const first = firstPiece(original, common)
  hash.update(first)
  const counts = countPieces(original.size - first.length)
  for (let index = 0; index < counts.long; index++) hash.update(common.long)
  for (let index = 0; index < counts.short; index++) hash.update(common.short)
  return hash.update(common.short.subarray(0, counts.rest)).digest('hex')
}

/**
 * Stores the content of a stand-in as chunks. The hashes of Xet were loaded before.
 * @param standIn `oid`: the result of {@link hashStandIn}
 * @throws {StateError} when the disk refuses it
 */
export function storeStandIn(
  { lfs }: { readonly lfs: Pick<LfsContents, 'keepOwn'> },
  { oid, ...original }: Original & { readonly oid: string },
): void {
  const { size } = original
  const common = commonPieces()
  const first = firstPiece(original, common)
  const counts = countPieces(size - first.length)
  const rest = common.short.subarray(0, counts.rest)
  const own = xorbOf(rest.length === 0 ? [first] : [first, rest])
  const longCount = longCounts[size > hugeBytes ? 'huge' : 'usual']
  const shared = sharedXorb(longCount)

  const terms: XetTerm[] = [
    { xorb: own.hash, start: 0, end: 1, from: 0, bytes: first.length },
    ...repeat(longTerm(shared, longCount), Math.floor(counts.long / longCount)),
  ]
  const lastLong = counts.long % longCount
  if (lastLong > 0) terms.push(longTerm(shared, lastLong))
  if (counts.short > 0) {
    const bytes = counts.short * short
    terms.push({ xorb: shared.hash, start: 0, end: counts.short, from: 0, bytes })
  }
  if (rest.length > 0) {
    terms.push({ xorb: own.hash, start: 1, end: 2, from: first.length, bytes: rest.length })
  }
  const hash = hashFile([own, shared], terms)
  lfs.keepOwn(oid, { hash, size, terms }, counts.long + counts.short > 0 ? [own, shared] : [own])
}

const sharedXorbs = new Map<number, OwnXorb>()

function sharedXorb(longCount: number): OwnXorb {
  const made = sharedXorbs.get(longCount)
  if (made !== undefined) return made
  const common = commonPieces()
  const xorb = xorbOf([...repeat(common.short, shortCount), ...repeat(common.long, longCount)])
  sharedXorbs.set(longCount, xorb)
  return xorb
}

function longTerm({ hash }: OwnXorb, count: number): XetTerm {
  const end = shortCount + count
  return { xorb: hash, start: shortCount, end, from: shortCount * short, bytes: count * long }
}

/** Pieces after the first one, and bytes after the last whole one. */
function countPieces(size: number): { long: number; short: number; rest: number } {
  return {
    long: Math.floor(size / long),
    short: Math.floor((size % long) / short),
    rest: size % short,
  }
}

function firstPiece({ of, size }: Original, { end }: Pieces): Buffer {
  const bytes = Buffer.concat([noise(`of ${of}`, short - windowBytes), end])
  bytes.write(firstLine, 'latin1')
  return bytes.subarray(0, Math.min(size, short))
}

/** Made once: it takes some milliseconds to find bytes in which a chunk ends, and others in which none does. */
function commonPieces(): Pieces {
  if (pieces !== undefined) return pieces
  const ended = noise('end', 1024 * 1024)
  const [chunk = ended] = [...cutChunks(ended)].filter(({ length }) => length < long)
  const end = chunk.subarray(-windowBytes)
  let piece: Buffer
  let attempt = 0
  do piece = noise(`long ${attempt++}`, long)
  while ([...cutChunks(piece)].length > 1)
  pieces = {
    short: Buffer.concat([noise('short', short - windowBytes), end]),
    long: piece,
    end,
  }
  return pieces
}

/** Bytes that look random, and are the same for the same name. */
function noise(name: string, length: number): Buffer {
  const key = createHash('sha256').update(`hub-sandbox stand-in ${name}`).digest()
  return createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(length))
}

const known = new WeakMap<Uint8Array, KeptChunk>()

function chunkOf(piece: Uint8Array): KeptChunk {
  const found = known.get(piece)
  if (found !== undefined) return found
  const chunk = { hash: loadedXetHashes().chunk(piece), length: piece.length }
  known.set(piece, chunk)
  return chunk
}

function xorbOf(parts: readonly Uint8Array[]): OwnXorb {
  const chunks = parts.map(chunkOf)
  const hasher = loadedXetHashes().chunks()
  for (const { hash, length } of chunks) hasher.add(hash, length)
  return { hash: hashText(hasher.xorbHash()), content: Buffer.concat(parts), chunks }
}

function hashFile(xorbs: readonly OwnXorb[], terms: readonly XetTerm[]): string {
  const hasher = loadedXetHashes().chunks(rememberNodes())
  const chunksOf = new Map(xorbs.map((xorb) => [xorb.hash, xorb.chunks]))
  for (const { xorb, start, end } of terms) {
    for (const { hash, length } of chunksOf.get(xorb)?.slice(start, end) ?? []) {
      hasher.add(hash, length)
    }
  }
  return hashText(hasher.fileHash())
}

/** Hashes nodes whose children are all the same only once: a large stand-in has few others. */
function rememberNodes(): XetHashes['node'] {
  const { node } = loadedXetHashes()
  const parents = new Map<Uint8Array, TreeNode[]>()
  return (children) => {
    const [first] = children
    if (first === undefined || children.some(({ hash }) => hash !== first.hash)) {
      return node(children)
    }
    const found = parents.get(first.hash) ?? []
    parents.set(first.hash, found)
    return (found[children.length] ??= node(children))
  }
}

function repeat<T>(item: T, count: number): T[] {
  return Array.from({ length: count }, () => item)
}
