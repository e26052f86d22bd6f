import type { Readable } from 'node:stream'
import type { ByteRange } from './byte-ranges.ts'
import type { KeptLfsContents } from '../../objects/lfs-contents.ts'
import type { BlobRange } from '../../objects/object-store.ts'
import type { ObjectStore } from './git-objects.ts'
import type { LfsPointer } from './lfs-objects.ts'

/** A file whose bytes can be read. */
export interface FileContents {
  /** In bytes. */
  readonly size: number
  /** Entity tag, in quotes. */
  readonly etag: string
  /**
   * The bytes of a part, by default of all.
   * @throws {StateError | MissingObjectError} when they are not there
   */
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
    read: (range) => objects.openBlob(oid, asBlobRange(range)),
  }
}

/** Opens a content of Git LFS, which whoever asks may have. */
export function openLfsContents(
  contents: KeptLfsContents,
  { oid, size }: LfsPointer,
): FileContents {
  return {
    size,
    etag: `"${oid}"`,
    read: (range) => contents.open(oid, asBlobRange(range) ?? wholeOf(size)),
  }
}

/** Said as a part, so that a file that ends too early is noticed. */
function wholeOf(size: number): BlobRange | undefined {
  return size === 0 ? undefined : { start: 0, end: size }
}

function asBlobRange(range: ByteRange | undefined): BlobRange | undefined {
  return range && { start: range.first, end: range.last + 1 }
}
