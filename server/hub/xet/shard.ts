import { Refusal } from '../../core/refusal.ts'
import type { KeptChunk } from '../../store/objects/chunk-table.ts'
import { hashBytes, hashText, parseHash } from './hashes.ts'

// A shard: how files consist of chunks in xorbs, and which chunks xorbs have.
// https://huggingface.co/docs/xet/shard

/** Range of chunks in a xorb, as a part of a file. */
export interface ShardTerm {
  /** Hash of the xorb, as text. */
  readonly xorb: string
  readonly start: number
  /** Excluded. */
  readonly end: number
  /** Bytes of its content. */
  readonly bytes: number
  /** Hash of the hashes of its chunks, as text. */
  readonly proof: string
}

/** File that a client has uploaded. */
export interface ShardFile {
  /** Hash of its chunks, as text. */
  readonly hash: string
  readonly terms: readonly ShardTerm[]
  /** SHA-256 of its content: 64 hex digits. Absent for files of no git repo. */
  readonly oid?: string
}

/** Chunks of a xorb in the response to a look-up. */
export interface ShardXorb {
  /** 32 bytes. */
  readonly hash: Uint8Array
  readonly chunks: readonly KeptChunk[]
}

/** Most bytes of a shard. */
export const mostShardBytes = 64 * 1024 * 1024

const tag = Buffer.from('HFRepoMetaData\0UigEj{\x81W\x83\xa5\xbd\xd9\\\xcd\xd1J\xa9', 'latin1')
const version = 2n
const footerVersion = 1n
/** Bytes of the header, and of each entry. */
const entryBytes = 48
const footerBytes = 200
const hasProofs = 0x80_00_00_00
const hasOid = 0x40_00_00_00
/** Marks the end of a section. */
const bookend = 'f'.repeat(2 * hashBytes)

/**
 * Parses the files of a shard. What it says of xorbs is not read: these were uploaded before, with their chunks.
 * @throws {Refusal} `invalid` for a broken shard
 */
export function parseShardFiles(shard: Buffer): ShardFile[] {
  const entries = new Entries(shard)
  const header = entries.next()
  if (!header.subarray(0, tag.length).equals(tag)) throw broken('it does not begin as a shard')
  if (header.readBigUInt64LE(32) !== version) {
    throw broken(`it has the version ${header.readBigUInt64LE(32)}, not ${version}`)
  }
  const files: ShardFile[] = []
  for (;;) {
    const first = entries.next()
    const hash = hashText(first.subarray(0, hashBytes))
    if (hash === bookend) return files
    files.push({ hash, ...parseFile(first, entries) })
  }
}

function parseFile(header: Buffer, entries: Entries): Omit<ShardFile, 'hash'> {
  const flags = header.readUInt32LE(32)
  const count = header.readUInt32LE(36)
  if ((flags & hasProofs) === 0) throw broken('a file has no verification entries')
  // Before anything is made of so many: they have to be there, each with its proof.
  entries.require(2 * count)
  const terms = Array.from({ length: count }, () => parseTerm(entries.next()))
  const proven = terms.map((term) => ({ ...term, proof: textIn(entries.next()) }))
  if ((flags & hasOid) === 0) return { terms: proven }
  return { terms: proven, oid: textIn(entries.next()) }
}

function parseTerm(entry: Buffer): Omit<ShardTerm, 'proof'> {
  const bytes = entry.readUInt32LE(36)
  const start = entry.readUInt32LE(40)
  const end = entry.readUInt32LE(44)
  if (start >= end) throw broken(`a term has the chunks ${start} to ${end}`)
  return { xorb: textIn(entry), start, end, bytes }
}

function textIn(entry: Buffer): string {
  return hashText(entry.subarray(0, hashBytes))
}

/** Reads a shard entry by entry. */
class Entries {
  readonly #shard: Buffer
  #at = 0

  constructor(shard: Buffer) {
    this.#shard = shard
  }

  next(): Buffer {
    this.require(1)
    this.#at += entryBytes
    return this.#shard.subarray(this.#at - entryBytes, this.#at)
  }

  require(count: number): void {
    if (this.#at + count * entryBytes > this.#shard.length) throw broken('it ends early')
  }
}

/**
 * Writes the shard for the look-up of a chunk: without files, with keyed hashes of chunks.
 * @param times seconds since 1970
 * @see https://huggingface.co/docs/xet/shard#global-deduplication
 */
export function writeXorbShard(
  xorbs: readonly ShardXorb[],
  { key, made, expires }: { key: Uint8Array; made: number; expires: number },
): Buffer {
  const header = Buffer.alloc(entryBytes)
  tag.copy(header)
  header.writeBigUInt64LE(version, 32)
  header.writeBigUInt64LE(BigInt(footerBytes), 40)
  const end = Buffer.concat([parseHash(bookend), Buffer.alloc(entryBytes - hashBytes)])
  const body = Buffer.concat([header, end, ...xorbs.flatMap(xorbEntries), end])

  const footer = Buffer.alloc(footerBytes)
  footer.writeBigUInt64LE(footerVersion, 0)
  footer.writeBigUInt64LE(BigInt(entryBytes), 8)
  footer.writeBigUInt64LE(BigInt(2 * entryBytes), 16)
  // The look-up tables, which are empty, begin where the xorbs end.
  for (const table of [24, 40, 56]) footer.writeBigUInt64LE(BigInt(body.length), table)
  footer.set(key, 72)
  footer.writeBigUInt64LE(BigInt(made), 104)
  footer.writeBigUInt64LE(BigInt(expires), 112)
  footer.writeBigUInt64LE(BigInt(body.length), 192)
  return Buffer.concat([body, footer])
}

function xorbEntries({ hash, chunks }: ShardXorb): Buffer[] {
  const header = Buffer.alloc(entryBytes)
  header.set(hash)
  header.writeUInt32LE(chunks.length, 36)
  let offset = 0
  const entries = chunks.map((chunk) => {
    const entry = Buffer.alloc(entryBytes)
    entry.set(chunk.hash)
    entry.writeUInt32LE(offset, 32)
    entry.writeUInt32LE(chunk.length, 36)
    offset += chunk.length
    return entry
  })
  header.writeUInt32LE(offset, 40)
  header.writeUInt32LE(offset, 44)
  return [header, ...entries]
}

function broken(problem: string): Refusal {
  return new Refusal('invalid', `Broken shard: ${problem}`)
}
