import type { Readable } from 'node:stream'
import type { ByteRange } from './byte-ranges.ts'
import type { KeptLfsContents } from '../../store/objects/lfs-contents.ts'
import type { BlobRange } from '../../store/objects/object-store.ts'
import type { ObjectStore } from './git-objects.ts'
import type { LfsPointer } from './lfs-objects.ts'

/** File with readable bytes. */
export interface FileContents {
  /** In bytes. */
  readonly size: number
  /** Entity tag, in quotes. */
  readonly etag: string
  /**
   * Reads a part, by default all.
   * @throws {StateError | MissingObjectError} when the bytes are missing
   */
  read(range?: ByteRange): Readable
}

/** Opens the content of a file of a commit; reads nothing yet. */
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

/** Opens an object of Git LFS; the caller has checked the permission. */
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

/** Opens a content in the storage, which knows no repos and has entity tags of its own. */
export function openStored(contents: KeptLfsContents, content: LfsPointer): FileContents {
  return { ...openLfsContents(contents, content), etag: storageTag(content.oid) }
}

/** Returns the entity tag of a content in the storage: 32 hex digits, as the MD5 that the storage of the Hub sends. */
export function storageTag(oid: string): string {
  return `"${oid.slice(0, 32)}"`
}

/** Returns the whole file as a range, so that a file that ends early is noticed. */
function wholeOf(size: number): BlobRange | undefined {
  return size === 0 ? undefined : { start: 0, end: size }
}

function asBlobRange(range: ByteRange | undefined): BlobRange | undefined {
  return range && { start: range.first, end: range.last + 1 }
}
