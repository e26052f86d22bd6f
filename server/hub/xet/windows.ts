import { Refusal } from '../../core/refusal.ts'
import type { XetFile } from '../../store/objects/xet-contents.ts'
import type { ByteRange } from '../files/byte-ranges.ts'
import { ChunkTree, type Subtree } from './chunk-tree.ts'
import { leastChunkBytes } from './cut-chunks.ts'
import { loadXetHashes, proofOf } from './hashes.ts'
import { mostChunkBytes } from './xorb.ts'
import type { TableOf } from './xorb-tables.ts'

// What a client needs to know of a file that it edits without having it: which parts it has to chunk again, and the
// hashes of the rest.

/** Part of a file that consists of whole chunks. */
interface Window {
  /** First byte. */
  readonly start: number
  /** After the last byte. */
  readonly end: number
}

/** Parts of a file whose chunk boundaries an edit may change, and their surroundings. */
export interface FileWindows {
  /** Chunks of the file. */
  readonly chunks: number
  readonly windows: readonly Window[]
  /** Trees of the chunks before, between and after the windows; absent where there is no chunk. */
  readonly gaps: readonly (Subtree | undefined)[]
  /** Verification hashes of the terms that no window touches. */
  readonly proofs: readonly string[]
}

/** Most nodes of all trees of a response. */
const mostNodes = 100_000

/**
 * Reads the header `X-Range-Dirty`: the bytes that a client replaces.
 * @returns ranges in order that do not overlap, without bytes after the file
 * @throws {Refusal} `invalid` for a header that is missing or malformed
 */
export function parseDirtyRanges(header: string | undefined, size: number): ByteRange[] {
  const [, list] = /^bytes=(\d+-\d+(?:,\d+-\d+)*)$/.exec(header ?? '') ?? []
  const ranges = list?.split(',').map((text) => {
    const [first = 0, last = 0] = text.split('-').map(Number)
    return { first, last }
  })
  if (ranges === undefined || ranges.some(({ first, last }) => first > last)) {
    throw new Refusal('invalid', `Invalid header X-Range-Dirty: ${header}`, {
      detail: 'it lists the bytes to replace: bytes=0-99,200-299',
    })
  }
  const joined: { first: number; last: number }[] = []
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = joined.at(-1)
    if (range.first >= size) break
    const last = Math.min(range.last, size - 1)
    if (before === undefined || range.first > before.last + 1) {
      joined.push({ first: range.first, last })
    } else before.last = Math.max(before.last, last)
  }
  return joined
}

/**
 * Finds the windows around replaced bytes: each ends where the chunks are the same again, whatever is before.
 * @param dirty ranges in order that do not overlap
 * @see https://github.com/huggingface/xet-core/blob/main/xet_client/src/cas_client/chunk_window_builder.rs
 */
export async function findWindows(
  { terms }: XetFile,
  tableOf: TableOf,
  dirty: readonly ByteRange[],
): Promise<FileWindows> {
  const hashes = await loadXetHashes()
  const windows: { start: number; end: number }[] = []
  const gaps: (Subtree | undefined)[] = []
  const proofs: string[] = []
  /** First of the ranges that do not end before this chunk. */
  let next = 0
  let isInWindow = false
  let wasStable = false
  let chunks = 0
  let start = 0
  let nodesLeft = mostNodes
  let gap = beginGap()

  function beginGap(): ChunkTree {
    return new ChunkTree(hashes.node, {
      atStart: windows.length === 0,
      atEnd: next === dirty.length,
    })
  }
  function endGap(): void {
    const tree = gap.finish()
    nodesLeft -= tree.nodes.length
    if (nodesLeft < 0) throw new Refusal('invalid', 'The file has too many parts to replace')
    gaps.push(tree.nodes.length === 0 ? undefined : tree)
  }
  /** @returns whether a window has the chunk */
  function placeChunk(hash: Uint8Array, length: number): boolean {
    const end = start + length
    while ((dirty[next]?.last ?? Number.POSITIVE_INFINITY) < start) next++
    const isDirty = (dirty[next]?.first ?? Number.POSITIVE_INFINITY) < end
    const window = windows.at(-1)
    if (isDirty && !isInWindow) {
      endGap()
      windows.push({ start, end })
      isInWindow = true
    } else if (isInWindow && window !== undefined) {
      window.end = end
    } else {
      gap.add({ hash: Uint8Array.from(hash), length })
      return false
    }
    const isStable = !isDirty && isStableLength(length)
    if (isStable && wasStable) {
      isInWindow = false
      gap = beginGap()
    }
    wasStable = isStable
    return true
  }

  for (const { xorb, start: first, end } of terms) {
    const table = tableOf(xorb)
    let isTouched = false
    for (let index = first; index < end; index++) {
      const length = table.lengthOf(index)
      if (placeChunk(table.hashOf(index), length)) isTouched = true
      start += length
    }
    chunks += end - first
    if (!isTouched) proofs.push(proofOf(hashes, table, { start: first, end }))
  }
  if (isInWindow) gaps.push(undefined)
  else endGap()
  return { chunks, windows, gaps, proofs }
}

/** Whether a chunk ends where it would if the chunk before it began elsewhere, given that the one before is such too. */
function isStableLength(length: number): boolean {
  return length >= 2 * leastChunkBytes && length < mostChunkBytes - leastChunkBytes
}
