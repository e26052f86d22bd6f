import type { Readable } from 'node:stream'
import type { ByteRange } from './byte-ranges.ts'
import type { ObjectStore } from './git-objects.ts'

/** A file whose bytes can be read. */
export interface FileContents {
  /** In bytes. */
  readonly size: number
  /** Entity tag, in quotes. */
  readonly etag: string
  /** The bytes of a part, by default of all. */
  read(range?: ByteRange): Readable
}

/** Opens what a file of a commit holds. Nothing is read before it is asked for. */
export function openFileContents(
  objects: ObjectStore,
  { oid, size }: { readonly oid: string; readonly size: number },
): FileContents {
  return {
    size,
    etag: `"${oid}"`,
    read: (range) => objects.openBlob(oid, range && { start: range.first, end: range.last + 1 }),
  }
}
