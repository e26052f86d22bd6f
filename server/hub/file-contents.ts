import type { ByteRange } from './byte-ranges.ts'
import { type ObjectStore, readBlob } from './git-objects.ts'

/** A file whose bytes can be read. */
export interface FileContents {
  /** In bytes. */
  readonly size: number
  /** Entity tag, in quotes. */
  readonly etag: string
  /** The bytes of a part, by default of all. */
  read(range?: ByteRange): Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

/** Opens what a file of a commit holds. Nothing is read before it is asked for. */
export function openFileContents(
  objects: ObjectStore,
  { oid, size }: { readonly oid: string; readonly size: number },
): FileContents {
  return {
    size,
    etag: `"${oid}"`,
    *read({ first, last } = { first: 0, last: size - 1 }) {
      yield readBlob(objects, oid).subarray(first, last + 1)
    },
  }
}
