import { Readable } from 'node:stream'
import type { KeptChunk } from './chunk-table.ts'
import type { BlobRange } from './object-store.ts'

// Contents uploaded by Xet. A xorb has the plain contents of chunks, one after another; a file is a list of parts of xorbs.

/** Part of a file: chunks of a xorb. */
export interface XetTerm {
  /** Hash of the xorb: 64 hex digits. */
  readonly xorb: string
  /** First chunk. */
  readonly start: number
  /** After the last chunk. */
  readonly end: number
  /** First byte in the xorb's content. */
  readonly from: number
  readonly bytes: number
}

/** File that consists of chunks. */
export interface XetFile {
  /** Hash of the chunks: 64 hex digits. */
  readonly hash: string
  /** In bytes. */
  readonly size: number
  readonly terms: readonly XetTerm[]
}

/** Xorb that the sandbox creates itself. */
export interface OwnXorb {
  /** 64 hex digits. */
  readonly hash: string
  readonly content: Uint8Array
  readonly chunks: readonly KeptChunk[]
}

/** Upload of a xorb. It is visible only when it is complete. */
export interface XorbUpload {
  /** @throws {StateError} when the disk refuses it */
  write(content: Uint8Array): Promise<void>
  /**
   * Stores the xorb.
   * @param chunks of the whole content
   */
  finish(chunks: readonly KeptChunk[]): Promise<void>
  /** Releases the resources; call it after success and failure. */
  close(): Promise<void>
}

/**
 * Streams a file, or a part of it, from its xorbs.
 * @param openXorb opens a part of a xorb's content
 */
export function openTerms(
  { terms, size }: XetFile,
  openXorb: (xorb: string, range: BlobRange) => Readable,
  { start, end }: BlobRange = { start: 0, end: size },
): Readable {
  async function* read(): AsyncGenerator<Uint8Array> {
    let at = 0
    for (const { xorb, from, bytes } of terms) {
      const first = Math.max(start - at, 0)
      const last = Math.min(end - at, bytes)
      if (first < last) yield* openXorb(xorb, { start: from + first, end: from + last })
      at += bytes
    }
  }
  return Readable.from(read(), { objectMode: false })
}

/**
 * Reads a whole small file, or a part of one, from its xorbs.
 * @param readXorb reads a part of a xorb's content
 */
export function readTerms(
  { terms }: XetFile,
  readXorb: (xorb: string, range: BlobRange) => Buffer,
  { start, end }: BlobRange = { start: 0, end: Infinity },
): Buffer {
  const parts: Buffer[] = []
  let at = 0
  for (const { xorb, from, bytes } of terms) {
    const first = Math.max(start - at, 0)
    const last = Math.min(end - at, bytes)
    if (first < last) parts.push(readXorb(xorb, { start: from + first, end: from + last }))
    at += bytes
  }
  return Buffer.concat(parts)
}
