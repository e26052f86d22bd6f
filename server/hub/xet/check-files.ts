import { createHash } from 'node:crypto'
import { Refusal } from '../../core/refusal.ts'
import { groupBy } from '../../core/group-by.ts'
import type { ChunkTable } from '../../store/objects/chunk-table.ts'
import type { KeptLfsContents } from '../../store/objects/lfs-contents.ts'
import { openTerms, type XetFile, type XetTerm } from '../../store/objects/xet-contents.ts'
import { hashText, loadXetHashes, proofOf, type XetHashes } from './hashes.ts'
import type { ShardFile, ShardTerm } from './shard.ts'
import { rememberTables, type TableOf } from './xorb-tables.ts'

/** Most chunks that the files of one shard may name: about 1 TB. */
const mostShardChunks = 16_000_000

/**
 * What the files of a shard may repeat, since each repetition is read and hashed again: all of their different chunks four
 * times, and the largest chunk for each term. So a file of one byte repeated may be of any size.
 */
const repeats = { times: 4, termChunks: 16, termBytes: 128 * 1024 }
/** What every shard may repeat. */
const least = { chunks: 16_384, bytes: 64 * 1024 * 1024 }

/** File whose chunks and hashes are as its shard says. */
export interface CheckedFile {
  /** SHA-256 of its content. */
  readonly oid: string
  readonly file: XetFile
}

/** Checks of the files of a shard. */
export interface FileChecks {
  /** Whether each file names its SHA-256: those of a git repo do. */
  readonly needsOid: boolean
  /** Tells that the client has gone, so that nobody waits for the rest. */
  readonly isOver: () => boolean
}

/**
 * Checks that the files of a shard are made of chunks that are here, and that all hashes are right: that of each range of
 * chunks, of the chunks of each file, and the SHA-256 of its content.
 * @throws {Refusal} `invalid` for a file that is not as its shard says
 */
export async function* checkFiles(
  lfs: KeptLfsContents,
  files: readonly ShardFile[],
  { needsOid, isOver }: FileChecks,
): AsyncGenerator<CheckedFile> {
  const hashes = await loadXetHashes()
  const chunks = files
    .flatMap(({ terms }) => terms)
    .reduce((sum, { start, end }) => sum + end - start, 0)
  if (chunks > mostShardChunks) throw wrong(`its files have more than ${mostShardChunks} chunks`)
  const tableOf = rememberTables(lfs, (xorb) => wrong(`the xorb ${xorb} was not uploaded`))
  checkRepeats(files, tableOf)

  for (const { hash, terms, oid } of files) {
    if (oid === undefined && needsOid) throw wrong('a file of a repo needs its SHA-256')
    const hasher = hashes.chunks()
    const placed: XetTerm[] = []
    for (const term of terms) {
      const { xorb, start, end } = term
      const table = tableOf(xorb)
      checkTerm(hashes, term, table)
      for (let index = start; index < end; index++) {
        hasher.add(table.hashOf(index), table.lengthOf(index))
      }
      placed.push({ xorb, start, end, from: table.startOf(start), bytes: term.bytes })
    }
    const found = hashText(hasher.fileHash())
    if (found !== hash) throw wrong(`a file has the hash ${found}, and ${hash} was announced`)
    const file = { hash, size: placed.reduce((sum, { bytes }) => sum + bytes, 0), terms: placed }
    const sha256 = await hashContent(lfs, file, isOver)
    if (oid !== undefined && sha256 !== oid) {
      throw wrong(`a file has the SHA-256 ${sha256}, and ${oid} was announced`)
    }
    yield { oid: sha256, file }
  }
}

/** @throws {Refusal} `invalid` for a shard that stands for far more than the chunks that it names */
function checkRepeats(files: readonly ShardFile[], tableOf: TableOf): void {
  const terms = files.flatMap((file) => file.terms)
  const ofXorbs = groupBy(terms, ({ xorb }) => xorb)
  const distinct = { chunks: 0, bytes: 0 }
  for (const [xorb, ranges] of ofXorbs) {
    const table = tableOf(xorb)
    let at = 0
    for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
      if (end <= at) continue
      const first = Math.max(start, at)
      distinct.chunks += end - first
      distinct.bytes += table.startOf(end) - table.startOf(first)
      at = end
    }
  }
  const most = {
    chunks: least.chunks + repeats.times * distinct.chunks + repeats.termChunks * terms.length,
    bytes: least.bytes + repeats.times * distinct.bytes + repeats.termBytes * terms.length,
  }
  const chunks = terms.reduce((sum, { start, end }) => sum + end - start, 0)
  const bytes = terms.reduce((sum, term) => sum + term.bytes, 0)
  if (chunks > most.chunks) {
    throw wrong(`it names ${distinct.chunks} chunks ${chunks} times, and may ${most.chunks} times`)
  }
  if (bytes > most.bytes) {
    throw wrong(`it repeats ${distinct.bytes} bytes to ${bytes}, and may to ${most.bytes}`)
  }
}

function checkTerm(
  hashes: XetHashes,
  { xorb, start, end, bytes, proof }: ShardTerm,
  table: ChunkTable,
): void {
  if (end > table.count) throw wrong(`the xorb ${xorb} has ${table.count} chunks, not ${end}`)
  const length = table.startOf(end) - table.startOf(start)
  if (length !== bytes) throw wrong(`a term has ${length} bytes, and ${bytes} were announced`)
  if (proofOf(hashes, table, { start, end }) !== proof) {
    throw wrong(`the verification hash of a term of the xorb ${xorb} is wrong`)
  }
}

async function hashContent(
  lfs: KeptLfsContents,
  file: XetFile,
  isOver: () => boolean,
): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of openTerms(file, (...part) => lfs.openXorb(...part))) {
    if (isOver()) throw wrong('its client has gone')
    hash.update(bytes as Uint8Array)
  }
  return hash.digest('hex')
}

function wrong(problem: string): Refusal {
  return new Refusal('invalid', `Invalid shard: ${problem}`)
}
