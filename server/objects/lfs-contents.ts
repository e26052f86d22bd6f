import type { Readable } from 'node:stream'
import type { ChunkTable } from './chunk-table.ts'
import type { BlobRange } from './object-store.ts'
import type { OwnXorb, XetFile, XorbUpload } from './xet-contents.ts'

// Contents of Git LFS, as plain bytes under their SHA-256. They are the same for all repos: which of these may have one is
// decided by the state (hub/files/lfs-objects.ts), and to be asked first.

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
   * @param range from byte `start` on, `end` excluded; it has to lie within, and have a byte
   * @throws {StateError | MissingObjectError} when it is not there, or its file ends before the part does
   */
  open(oid: string, range?: BlobRange): Readable
  /**
   * Reads a whole small object at once.
   * @throws {StateError | MissingObjectError} as {@link open}
   */
  read(oid: string): Buffer
  /** Tells which chunks an object consists of; `undefined` for one that did not come by Xet. */
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
   * @param isInParts they may come in any order, and at once
   */
  receive(content: LfsContent, isInParts?: boolean): LfsUpload
  /** Begins the upload of a xorb. */
  receiveXorb(hash: string): XorbUpload
  /**
   * Keeps an object that consists of chunks; the caller has checked them.
   * @throws {StateError} when the disk refuses it
   */
  keepXetFile(oid: string, file: XetFile): Promise<void>
  /**
   * Keeps a small object and its only xorb at once, which the sandbox has made itself.
   * @throws {StateError} when the disk refuses it
   */
  keepOwn(oid: string, file: XetFile, xorb: OwnXorb): void
  /** Releases an object that no repo refers to. Open readers and earlier captures keep it. */
  release(oid: string): void
}

/** Upload of an object in one or several pieces. It is visible only when it is complete. */
export interface LfsUpload {
  /**
   * Takes what begins at an offset.
   * @throws {LfsUploadError} `length` when it has not exactly so many bytes
   * @throws {StateError} when the disk refuses it
   */
  write(
    bytes: AsyncIterable<Uint8Array>,
    place: { readonly start: number; readonly length: number },
  ): Promise<void>
  /**
   * Keeps it.
   * @throws {LfsUploadError} `hash` when it is another content
   * @throws {StateError} as {@link write}
   */
  finish(): Promise<void>
  /** To be called in the end, whatever became of it. */
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
