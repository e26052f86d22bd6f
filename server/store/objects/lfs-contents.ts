import type { Readable } from 'node:stream'
import type { ChunkTable } from './chunk-table.ts'
import type { BlobRange } from './object-store.ts'
import type { OwnXorb, XetFile, XorbUpload } from './xet-contents.ts'

// Contents of Git LFS, as plain bytes under their SHA-256, shared by all repos. The state decides which repo may read one
// (hub/files/lfs-objects.ts): check that first.

/** Object that a client is about to upload. */
export interface LfsContent {
  /** 64 lower-case hex digits: its SHA-256. */
  readonly oid: string
  /** In bytes. */
  readonly size: number
}

/** Objects at one moment. */
export interface KeptLfsContents {
  has(oid: string): boolean
  /**
   * Opens an object or a part of it.
   * @param range from byte `start` to before `end`, within the content and not empty
   * @throws {StateError | MissingObjectError} when it is not there, or its file ends before the part does
   */
  open(oid: string, range?: BlobRange): Readable
  /**
   * Reads a whole small object, or a small part of one, at once.
   * @param range as for {@link open}
   * @throws {StateError | MissingObjectError} as {@link open}
   */
  read(oid: string, range?: BlobRange): Buffer
  /** Returns the chunks of an object; `undefined` for one that was not uploaded by Xet. */
  xetFile(oid: string): XetFile | undefined
  /** Lists the chunks of a xorb; `undefined` for an unknown one. */
  xorbChunks(hash: string): ChunkTable | undefined
  /** Opens a part of a xorb's content, as {@link open}. */
  openXorb(hash: string, range: BlobRange): Readable
  /** Reads a small part of a xorb's content, as {@link read}. */
  readXorb(hash: string, range: BlobRange): Buffer
}

/** LFS objects of all repos. They never change; only released ones are removed. */
export interface LfsContents extends KeptLfsContents {
  /**
   * Begins an upload.
   * @param isInParts the parts may arrive in any order, and at the same time
   */
  receive(content: LfsContent, isInParts?: boolean): LfsUpload
  /** Returns true for a stored xorb that was checked since the start. Any other is uploaded again: a power cut may have spoiled it. */
  hasWholeXorb(hash: string): boolean
  /** Begins the upload of a xorb. */
  receiveXorb(hash: string): XorbUpload
  /**
   * Stores an object that consists of chunks; the caller has checked them.
   * @throws {StateError} when the disk refuses it
   */
  keepXetFile(oid: string, file: XetFile): Promise<void>
  /**
   * Stores an object with its small xorbs, which the sandbox created itself, synchronously.
   * @throws {StateError} when the disk refuses it
   */
  keepOwn(oid: string, file: XetFile, xorbs: readonly OwnXorb[]): void
  /** Releases an object that no repo refers to. Open readers and earlier captures keep it. */
  release(oid: string): void
}

/** Upload of an object in one or several pieces. It is visible only when it is complete. */
export interface LfsUpload {
  /**
   * Receives the bytes from an offset on.
   * @throws {LfsUploadError} `length` for another number of bytes
   * @throws {StateError} when the disk refuses it
   */
  write(
    bytes: AsyncIterable<Uint8Array>,
    place: { readonly start: number; readonly length: number },
  ): Promise<void>
  /**
   * Stores the content.
   * @throws {LfsUploadError} `hash` for another content
   * @throws {StateError} as {@link write}
   */
  finish(): Promise<void>
  /** Releases the resources; call it after success and failure. */
  close(): Promise<void>
}

/** Upload that differs from its announcement. */
export class LfsUploadError extends Error {
  override readonly name = 'LfsUploadError'
  readonly reason: 'length' | 'hash'

  constructor(reason: LfsUploadError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}
