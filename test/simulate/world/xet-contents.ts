import { createHash } from 'node:crypto'
import { hashText, loadXetHashes, parseHash } from '../../../server/hub/xet/hashes.ts'
import type { Random } from '../../../server/core/random.ts'

// Contents as clients of Xet send them. The pieces are few, so that files share them.

// Before the platform is replaced: it takes real time.
const hashes = await loadXetHashes()

/** Hash of the chunks of the empty content, which nobody uploads. */
export const emptyHash = '0'.repeat(64)

const pieceCount = 10
const headerBytes = 8
/** Of each entry of a shard. */
const entryBytes = 48
const shardTag = Buffer.from('HFRepoMetaData\0UigEj{\x81W\x83\xa5\xbd\xd9\\\xcd\xd1J\xa9', 'latin1')
const [hasProofs, hasOid] = [0x80_00_00_00, 0x40_00_00_00]

interface Piece {
  readonly bytes: Buffer
  readonly hash: Uint8Array
}

const pieces = Array.from({ length: pieceCount }, (_, number): Piece => {
  const bytes = Buffer.from(`piece ${number} `.repeat(2 + ((number * 37) % 90)))
  return { bytes, hash: hashes.chunk(bytes) }
})
const pieceOf = (number: number) => pieces[number] as Piece

/** Content made of pieces, by their numbers. */
export interface Content {
  readonly pieces: readonly number[]
  readonly text: string
  /** SHA-256. */
  readonly oid: string
  /** Hash of the chunks. */
  readonly hash: string
}

/** Chooses a content that others may have, too. */
export function chooseContent(random: Random): Content {
  return contentOf(Array.from({ length: 1 + random.int(4) }, () => random.int(pieceCount)))
}

function contentOf(chosen: readonly number[]): Content {
  const bytes = Buffer.concat(chosen.map((number) => pieceOf(number).bytes))
  const oid = createHash('sha256').update(bytes).digest('hex')
  const hash = hashText(hasherOf(chosen).fileHash())
  return { pieces: chosen, text: bytes.toString(), oid, hash }
}

/** Content of the file of the bucket of the fixtures. */
export const stored = contentOf([1])

/** Chunks of one xorb. */
export interface Xorb {
  readonly hash: string
  readonly pieces: readonly number[]
  readonly body: Buffer
}

export function makeXorb(numbers: readonly number[]): Xorb {
  const body = numbers.flatMap((number) => {
    const { bytes } = pieceOf(number)
    const header = Buffer.alloc(headerBytes)
    header.writeUIntLE(bytes.length, 1, 3)
    header.writeUIntLE(bytes.length, 5, 3)
    return [header, bytes]
  })
  return {
    hash: hashText(hasherOf(numbers).xorbHash()),
    pieces: numbers,
    body: Buffer.concat(body),
  }
}

/** Where the storage has a piece. */
export interface Place {
  readonly xorb: string
  readonly index: number
}

/** Chunks that a storage has confirmed, by its URL. */
export class XetMemory {
  #url = ''
  #places = new Map<number, Place>()

  /** A client that meets another URL knows nothing of it. */
  at(url: string): Map<number, Place> {
    if (url !== this.#url) this.#places = new Map()
    this.#url = url
    return this.#places
  }
}

/** Writes a shard with one file. @param needsOid whether it names its SHA-256, as for a repo of git */
export function makeShard(
  content: Content,
  placeOf: (piece: number) => Place,
  needsOid: boolean,
): Buffer {
  const header = Buffer.alloc(entryBytes)
  shardTag.copy(header)
  header.writeBigUInt64LE(2n, 32)
  const terms = content.pieces.map((number) => ({ number, ...placeOf(number) }))
  const file = entry(content.hash)
  file.writeUInt32LE(hasProofs + (needsOid ? hasOid : 0), 32)
  file.writeUInt32LE(terms.length, 36)
  const places = terms.map(({ number, xorb, index }) => {
    const term = entry(xorb)
    term.writeUInt32LE(pieceOf(number).bytes.length, 36)
    term.writeUInt32LE(index, 40)
    term.writeUInt32LE(index + 1, 44)
    return term
  })
  const proofs = terms.map(({ number }) => entry(hashText(hashes.range(pieceOf(number).hash))))
  const oids = needsOid ? [entry(content.oid)] : []
  return Buffer.concat([header, file, ...places, ...proofs, ...oids, entry('f'.repeat(64))])
}

/** Reads the chunks of a part of a xorb as it is sent. */
export function readChunks(body: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const end = at + headerBytes + body.readUIntLE(at + 1, 3)
    found.push(body.subarray(at + headerBytes, end))
    at = end
  }
  return found
}

function entry(hash: string): Buffer {
  return Buffer.concat([parseHash(hash), Buffer.alloc(entryBytes - 32)])
}

function hasherOf(numbers: readonly number[]) {
  const hasher = hashes.chunks()
  for (const number of numbers) hasher.add(pieceOf(number).hash, pieceOf(number).bytes.length)
  return hasher
}
