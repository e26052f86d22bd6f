import { copyFileSync, linkSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileError } from '../state/errors.ts'
import type { ContentsFolder } from './contents-folder.ts'
import type { KeptLfsContents, LfsContent, LfsContents, LfsUpload } from './lfs-contents.ts'
import { CheckedUpload, FileSink, noSink, type UploadSink } from './lfs-upload.ts'
import { inMemoryBytes, readFileRange, streamOf } from './blob-stream.ts'
import { type BlobRange, MissingObjectError } from './object-store.ts'

/** A small content, or the name of a file in a private folder. */
type Kept = Buffer | { readonly file: string }

/** Contents of Git LFS in memory, large ones in a folder of its own, over those of another store that it only reads. */
export class MemoryLfs implements LfsContents {
  readonly #folder: ContentsFolder
  #base: KeptLfsContents | undefined
  #own: Map<string, Kept>
  #count = 0

  constructor(folder: ContentsFolder, base?: KeptLfsContents, own = new Map<string, Kept>()) {
    this.#folder = folder
    this.#base = base
    this.#own = own
  }

  has(oid: string): boolean {
    return this.#own.has(oid) || (this.#base?.has(oid) ?? false)
  }

  open(oid: string, range?: BlobRange): Readable {
    const own = this.#own.get(oid)
    if (own === undefined) {
      if (this.#base === undefined) throw new MissingObjectError(oid)
      return this.#base.open(oid, range)
    }
    if (!Buffer.isBuffer(own)) return readFileRange(own.file, range)
    return streamOf(range === undefined ? own : own.subarray(range.start, range.end))
  }

  receive(content: LfsContent, isInParts = false): LfsUpload {
    if (!isInParts && this.has(content.oid)) return new CheckedUpload(content, noSink)
    const keep = (kept: Kept) => void this.#own.set(content.oid, kept)
    return new CheckedUpload(
      content,
      content.size > inMemoryBytes ? this.#fileSink(keep) : memorySink(content.size, keep),
    )
  }

  /** Large ones take no memory: their files go with the folder, which others may still be reading. */
  release(oid: string): void {
    if (Buffer.isBuffer(this.#own.get(oid))) this.#own.delete(oid)
  }

  /** Captures the present objects. */
  capture(): MemoryLfs {
    return new MemoryLfs(this.#folder, this.#base, new Map(this.#own))
  }

  forget(): void {
    this.#own = new Map()
  }

  /** Takes all that was kept, in place of what was there before. The other one may then go. */
  adopt(kept: KeptLfsContents): void {
    if (!(kept instanceof MemoryLfs)) {
      this.#base = kept
      return
    }
    this.#base = kept.#base
    const isOwn = kept.#folder === this.#folder
    for (const [oid, content] of kept.#own) {
      this.#own.set(oid, isOwn || Buffer.isBuffer(content) ? content : this.#link(content.file))
    }
  }

  #link(source: string): { file: string } {
    const file = this.#next()
    try {
      linkSync(source, file)
    } catch {
      // Not every disk has links.
      try {
        copyFileSync(source, file)
      } catch (error) {
        throw fileError('write', file, error)
      }
    }
    return { file }
  }

  #fileSink(keep: (kept: Kept) => void): UploadSink {
    const file = this.#next()
    // The folder is there since the name was made.
    return new FileSink(file, { makeFolder() {}, name: () => keep({ file }) })
  }

  #next(): string {
    this.#count += 1
    return join(this.#folder.path(), `lfs-${this.#count}`)
  }
}

function memorySink(size: number, keep: (kept: Buffer) => void): UploadSink {
  const bytes = Buffer.alloc(size)
  return {
    write: (chunk, position) => bytes.set(chunk, position),
    read: () => [bytes],
    keep: () => keep(bytes),
    close() {},
  }
}
