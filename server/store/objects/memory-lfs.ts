import { copyFileSync, linkSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { type ChunkTable, formatChunks, parseChunks, readChunks, splitXorb } from './chunk-table.ts'
import { fileError } from '../errors.ts'
import type { ContentsFolder } from './contents-folder.ts'
import type { KeptLfsContents, LfsContent, LfsContents, LfsUpload } from './lfs-contents.ts'
import { CheckedUpload, FileSink, noSink, type UploadSink } from './lfs-upload.ts'
import { inMemoryBytes, readFilePart, readFileRange, streamOf } from './blob-stream.ts'
import { type BlobRange, MissingObjectError } from './object-store.ts'
import {
  openTerms,
  type OwnXorb,
  readTerms,
  type XetFile,
  type XorbUpload,
} from './xet-contents.ts'
import { XorbFile } from './xorb-file.ts'

/** A file in a private folder. */
interface InFile {
  readonly file: string
}
/** A small content, or the file of a large one. */
type Kept = Buffer | InFile

/** Contents that one sandbox has received. */
interface Own {
  readonly contents: Map<string, Kept>
  readonly xetFiles: Map<string, XetFile>
  readonly xorbs: Map<string, Kept>
}

const nothing = (): Own => ({ contents: new Map(), xetFiles: new Map(), xorbs: new Map() })

/** Contents of Git LFS in memory, large ones in a folder of its own, over those of another store that it only reads. */
export class MemoryLfs implements LfsContents {
  readonly #folder: ContentsFolder
  #base: KeptLfsContents | undefined
  #own: Own
  #count = 0

  constructor(folder: ContentsFolder, base?: KeptLfsContents, own = nothing()) {
    this.#folder = folder
    this.#base = base
    this.#own = own
  }

  has(oid: string): boolean {
    const { contents, xetFiles } = this.#own
    return contents.has(oid) || xetFiles.has(oid) || (this.#base?.has(oid) ?? false)
  }

  open(oid: string, range?: BlobRange): Readable {
    const own = this.#own.contents.get(oid)
    if (own !== undefined) {
      if (!Buffer.isBuffer(own)) return readFileRange(own.file, range)
      return streamOf(range === undefined ? own : own.subarray(range.start, range.end))
    }
    const xetFile = this.#own.xetFiles.get(oid)
    if (xetFile !== undefined) return openTerms(xetFile, (...xorb) => this.openXorb(...xorb), range)
    if (this.#base === undefined) throw new MissingObjectError(oid)
    return this.#base.open(oid, range)
  }

  read(oid: string, range?: BlobRange): Buffer {
    const own = this.#own.contents.get(oid)
    if (Buffer.isBuffer(own)) return own.subarray(range?.start, range?.end)
    if (own !== undefined) {
      return range === undefined ? readFileSync(own.file) : readFilePart(own.file, range)
    }
    const xetFile = this.#own.xetFiles.get(oid)
    if (xetFile !== undefined) return readTerms(xetFile, (...part) => this.readXorb(...part), range)
    if (this.#base === undefined) throw new MissingObjectError(oid)
    return this.#base.read(oid, range)
  }

  xetFile(oid: string): XetFile | undefined {
    return this.#own.xetFiles.get(oid) ?? this.#base?.xetFile(oid)
  }

  xorbChunks(hash: string): ChunkTable | undefined {
    const own = this.#own.xorbs.get(hash)
    if (own === undefined) return this.#base?.xorbChunks(hash)
    return Buffer.isBuffer(own) ? parseChunks(own) : readChunks(own.file)
  }

  openXorb(hash: string, range: BlobRange): Readable {
    const own = this.#own.xorbs.get(hash)
    if (Buffer.isBuffer(own)) return streamOf(own.subarray(range.start, range.end))
    if (own !== undefined) return readFileRange(own.file, range)
    if (this.#base === undefined) throw new MissingObjectError(hash)
    return this.#base.openXorb(hash, range)
  }

  readXorb(hash: string, range: BlobRange): Buffer {
    const own = this.#own.xorbs.get(hash)
    if (Buffer.isBuffer(own)) return own.subarray(range.start, range.end)
    if (own !== undefined) return readFilePart(own.file, range)
    if (this.#base === undefined) throw new MissingObjectError(hash)
    return this.#base.readXorb(hash, range)
  }

  hasWholeXorb(hash: string): boolean {
    return this.xorbChunks(hash) !== undefined
  }

  receiveXorb(hash: string): XorbUpload {
    return new XorbFile(this.#fileSink((kept) => void this.#own.xorbs.set(hash, kept)))
  }

  async keepXetFile(oid: string, file: XetFile): Promise<void> {
    this.#own.xetFiles.set(oid, file)
  }

  keepOwn(oid: string, file: XetFile, xorbs: readonly OwnXorb[]): void {
    for (const { hash, content, chunks } of xorbs) {
      if (this.#own.xorbs.has(hash)) continue
      this.#own.xorbs.set(hash, Buffer.concat([content, formatChunks(chunks)]))
    }
    this.#own.xetFiles.set(oid, file)
  }

  receive(content: LfsContent, isInParts = false): LfsUpload {
    if (!isInParts && this.has(content.oid)) return new CheckedUpload(content, noSink)
    const keep = (kept: Kept) => void this.#own.contents.set(content.oid, kept)
    return new CheckedUpload(
      content,
      content.size > inMemoryBytes ? this.#fileSink(keep) : memorySink(content.size, keep),
    )
  }

  /** Large contents take no memory: their files are removed with the folder, which may still have readers. */
  release(oid: string): void {
    if (Buffer.isBuffer(this.#own.contents.get(oid))) this.#own.contents.delete(oid)
    this.#own.xetFiles.delete(oid)
  }

  /** Lists the contents in chunks that it has itself; the contents of fixtures are such. */
  *ownFiles(): Generator<{ oid: string; file: XetFile; xorbs: readonly OwnXorb[] }> {
    for (const [oid, file] of this.#own.xetFiles) {
      const names = new Set(file.terms.map(({ xorb }) => xorb))
      const xorbs = [...names].flatMap((hash) => {
        const kept = this.#own.xorbs.get(hash)
        if (kept === undefined) return []
        return { hash, ...splitXorb(Buffer.isBuffer(kept) ? kept : readFileSync(kept.file)) }
      })
      yield { oid, file, xorbs }
    }
  }

  /** Captures the present objects. */
  capture(): MemoryLfs {
    const { contents, xetFiles, xorbs } = this.#own
    return new MemoryLfs(this.#folder, this.#base, {
      contents: new Map(contents),
      xetFiles: new Map(xetFiles),
      xorbs: new Map(xorbs),
    })
  }

  forget(): void {
    this.#own = nothing()
  }

  /** Replaces all contents by those of a capture, which may be released afterwards. */
  adopt(kept: KeptLfsContents): void {
    if (!(kept instanceof MemoryLfs)) {
      this.#base = kept
      return
    }
    this.#base = kept.#base
    const link = kept.#folder === this.#folder ? (one: InFile) => one : this.#link.bind(this)
    const take = (one: Kept) => (Buffer.isBuffer(one) ? one : link(one))
    for (const [oid, content] of kept.#own.contents) {
      this.#own.contents.set(oid, take(content))
    }
    for (const [oid, file] of kept.#own.xetFiles) this.#own.xetFiles.set(oid, file)
    for (const [hash, xorb] of kept.#own.xorbs) this.#own.xorbs.set(hash, take(xorb))
  }

  #link({ file: source }: InFile): InFile {
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

  #fileSink(keep: (kept: InFile) => void): FileSink {
    const file = this.#next()
    // The folder exists since the name was created.
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
