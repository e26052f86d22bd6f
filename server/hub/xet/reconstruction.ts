import type { ByteRange } from '../files/byte-ranges.ts'
import type { ChunkTable } from '../../store/objects/chunk-table.ts'
import type { BlobRange } from '../../store/objects/object-store.ts'
import type { XetFile } from '../../store/objects/xet-contents.ts'
import { headerBytes, plainHeader } from './xorb.ts'
import type { TableOf } from './xorb-tables.ts'

/** Chunks of a xorb that a part of a file consists of. */
export interface ReconstructionTerm {
  readonly xorb: string
  readonly start: number
  /** After the last chunk. */
  readonly end: number
  /** Bytes of the chunks' contents. */
  readonly bytes: number
  /** Bytes of the xorb as it is sent. */
  readonly sent: ByteRange
}

/** Chunks that have a part of a file. */
export interface Reconstruction {
  readonly terms: readonly ReconstructionTerm[]
  /** Bytes of the first chunk before the part. */
  readonly skipped: number
}

/**
 * Lists the chunks that a file, or a part of it, consists of.
 * @param tableOf chunks of a xorb that the file names
 * @see https://huggingface.co/docs/xet/download-protocol
 */
export function reconstruct(
  { terms, size }: XetFile,
  tableOf: TableOf,
  { first, last }: ByteRange = { first: 0, last: size - 1 },
): Reconstruction {
  const found: ReconstructionTerm[] = []
  let skipped = 0
  let at = 0
  for (const { xorb, start, end, from, bytes } of terms) {
    const begins = at
    at += bytes
    if (at <= first || begins > last) continue
    const table = tableOf(xorb)
    // Positions in the xorb instead of the file.
    const offset = from - begins
    let begin = start
    while (table.startOf(begin + 1) <= first + offset) begin++
    let stop = begin + 1
    while (stop < end && table.startOf(stop) <= last + offset) stop++
    if (found.length === 0) skipped = Math.max(0, first + offset - table.startOf(begin))
    found.push({
      xorb,
      start: begin,
      end: stop,
      bytes: table.startOf(stop) - table.startOf(begin),
      sent: { first: sentStart(table, begin), last: sentStart(table, stop) - 1 },
    })
  }
  return { terms: found, skipped }
}

/** Returns where a chunk begins in a xorb as it is sent: without compression, each chunk with its header. */
function sentStart(table: ChunkTable, index: number): number {
  return table.startOf(index) + index * headerBytes
}

/** Returns the bytes of a xorb as it is sent. */
export function sentLength(table: ChunkTable): number {
  return sentStart(table, table.count)
}

/**
 * Writes a part of a xorb as it is sent.
 * @param open opens a part of the xorb's content
 */
export async function* writeXorb(
  table: ChunkTable,
  open: (range: BlobRange) => AsyncIterable<Uint8Array>,
  { first, last }: ByteRange,
): AsyncGenerator<Uint8Array> {
  // Whole chunks, of which the first and the last are cut.
  let start = 0
  while (sentStart(table, start + 1) <= first) start++
  let end = start + 1
  while (end < table.count && sentStart(table, end) <= last) end++
  let at = sentStart(table, start)
  const content = open({ start: table.startOf(start), end: table.startOf(end) })
  for await (const bytes of withHeaders(table, start, content)) {
    const cut = bytes.subarray(Math.max(0, first - at), Math.max(0, last + 1 - at))
    at += bytes.length
    if (cut.length > 0) yield cut
  }
}

async function* withHeaders(
  table: ChunkTable,
  start: number,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let next = start
  let left = 0
  for await (let bytes of content) {
    while (bytes.length > 0) {
      if (left === 0) {
        left = table.lengthOf(next++)
        yield plainHeader(left)
      }
      const part = bytes.subarray(0, left)
      left -= part.length
      bytes = bytes.subarray(part.length)
      yield part
    }
  }
}
