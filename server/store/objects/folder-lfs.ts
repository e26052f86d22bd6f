import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { type ChunkTable, formatChunks, readChunks } from './chunk-table.ts'
import { errorCode, fileError, isPassing, StateError } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'
import type { LfsContent, LfsContents, LfsUpload } from './lfs-contents.ts'
import { readFilePart, readFileRange } from './blob-stream.ts'
import { CheckedUpload, FileSink, noSink } from './lfs-upload.ts'
import { type BlobRange, MissingObjectError, type RepoUse } from './object-store.ts'
import type { ObjectWriter } from './object-writer.ts'
import { isLongAgo, namesIn, Unfinished } from './unfinished.ts'
import {
  openTerms,
  type OwnXorb,
  readTerms,
  type XetFile,
  type XorbUpload,
} from './xet-contents.ts'
import { XorbFile } from './xorb-file.ts'

/** Bytes of a file that are read at a time for its hash. */
const hashedAtOnce = 1024 * 1024

const isOid = /^[0-9a-f]{64}$/
const isPart = /^[0-9a-f]{2}$/

/** Contents of Xet: lists of chunks under the SHA-256 of the object, and xorbs under their hash. */
type Kind = 'chunked' | 'xorbs'

/** Checked before a response starts: a client waits for the bytes that the response announces. */
function assertHolds(file: string, bytes: number): void {
  let size: number
  try {
    size = statSync(file).size
  } catch (error) {
    throw fileError('read', file, error)
  }
  if (size >= bytes) return
  throw new StateError(`${file} is damaged: it ends after ${size} bytes`, { file })
}

/**
 * Contents of Git LFS in a folder: `ab/cd/abcd…`. Those that came by Xet are lists of chunks under the same names in
 * `chunked/`, and their chunks are in `xorbs/`.
 */
export class FolderLfs implements LfsContents {
  readonly #folder: string
  readonly #writer: Pick<ObjectWriter, 'note' | 'synced'>
  readonly #unfinished: Unfinished
  /** Contents and xorbs in use, even if the state does not refer to them yet, with the times at which they came. */
  readonly #received = new Map<string, number>()
  /** Files whose content was checked in this run: a power cut may have spoiled others. */
  readonly #whole = new Set<string>()
  #releasedAt: number | undefined
  /** Chunk lists that were read; `undefined` for an object without one. */
  readonly #xetFiles = new Map<string, XetFile | undefined>()

  /** @param writer syncs the files */
  constructor(folder: string, writer: Pick<ObjectWriter, 'note' | 'synced'>) {
    this.#folder = folder
    this.#writer = writer
    this.#unfinished = new Unfinished(join(folder, 'unfinished'))
  }

  has(oid: string): boolean {
    return existsSync(this.#file(oid)) || existsSync(this.#file(oid, 'chunked'))
  }

  /**
   * Syncs an existing content with the next sync: an earlier run may have ended before it did.
   * @param check `content` compares the SHA-256; `chunks` asks only for the chunks, as a stand-in has another SHA-256
   * @returns false if a part is missing or damaged, as a power cut leaves what was not synced
   */
  syncFound(oid: string, check: 'content' | 'chunks' = 'content'): boolean {
    const file = this.#file(oid)
    const isPlain = existsSync(file)
    if (check === 'chunks' || !isPlain) return this.#syncChunked(oid, check === 'chunks')
    const isChunked = existsSync(this.#file(oid, 'chunked'))
    return this.#syncPlain(oid, file) && (!isChunked || this.#syncChunked(oid, true))
  }

  #syncPlain(oid: string, file: string): boolean {
    return isFound(() => {
      if (!this.#whole.has(file) && hashOf(file) !== oid) return false
      this.#whole.add(file)
      this.#sync(file)
      return true
    })
  }

  /** @param isAny whether the chunks may have any content */
  #syncChunked(oid: string, isAny: boolean): boolean {
    return isFound(() => {
      const file = this.#file(oid, 'chunked')
      const xetFile = this.xetFile(oid)
      if (xetFile === undefined) return false
      const xorbs = new Set(xetFile.terms.map(({ xorb }) => this.#file(xorb, 'xorbs')))
      for (const { xorb, end } of xetFile.terms) {
        if ((this.xorbChunks(xorb)?.count ?? 0) < end) return false
      }
      if (!isAny && !this.#whole.has(file)) {
        if (this.#hashOfTerms(xetFile) !== oid) return false
        this.#whole.add(file)
      }
      for (const each of [...xorbs, file]) this.#sync(each)
      return true
    })
  }

  open(oid: string, range?: BlobRange): Readable {
    const file = this.#file(oid)
    const xetFile = existsSync(file) ? undefined : this.xetFile(oid)
    if (xetFile !== undefined) return openTerms(xetFile, (...xorb) => this.openXorb(...xorb), range)
    assertHolds(file, range?.end ?? 0)
    return readFileRange(file, range)
  }

  read(oid: string, range?: BlobRange): Buffer {
    const file = this.#file(oid)
    const xetFile = existsSync(file) ? undefined : this.xetFile(oid)
    if (xetFile !== undefined) return readTerms(xetFile, (...part) => this.readXorb(...part), range)
    if (range !== undefined) return readFilePart(file, range)
    try {
      return readFileSync(file)
    } catch (error) {
      throw fileError('read', file, error)
    }
  }

  xetFile(oid: string): XetFile | undefined {
    if (!this.#xetFiles.has(oid)) this.#xetFiles.set(oid, readXetFile(this.#file(oid, 'chunked')))
    return this.#xetFiles.get(oid)
  }

  xorbChunks(hash: string): ChunkTable | undefined {
    return readChunks(this.#file(hash, 'xorbs'))
  }

  openXorb(hash: string, range: BlobRange): Readable {
    const file = this.#file(hash, 'xorbs')
    assertHolds(file, range.end)
    return readFileRange(file, range)
  }

  readXorb(hash: string, range: BlobRange): Buffer {
    return readFilePart(this.#file(hash, 'xorbs'), range)
  }

  hasWholeXorb(hash: string): boolean {
    const file = this.#file(hash, 'xorbs')
    return this.#whole.has(file) && existsSync(file)
  }

  receiveXorb(hash: string): XorbUpload {
    this.#note(hash)
    return new XorbFile(this.#sink(this.#file(hash, 'xorbs')))
  }

  async keepXetFile(oid: string, xetFile: XetFile): Promise<void> {
    this.#note(oid)
    for (const xorb of new Set(xetFile.terms.map((term) => term.xorb))) {
      this.#note(xorb)
      // An earlier run may have left it without a file, and it was just removed as unused.
      if (!existsSync(this.#file(xorb, 'xorbs'))) throw new MissingObjectError(xorb)
    }
    // The content in use must not be replaced by one whose xorbs a power cut can spoil.
    if (this.has(oid)) await this.#writer.synced()
    const sink = this.#sink(this.#file(oid, 'chunked'), () => this.has(oid))
    try {
      await sink.write(Buffer.from(JSON.stringify(xetFile)), 0)
      await sink.keep()
    } finally {
      await sink.close()
    }
    this.#xetFiles.set(oid, xetFile)
  }

  keepOwn(oid: string, file: XetFile, xorbs: readonly OwnXorb[]): void {
    for (const { hash, content, chunks } of xorbs) {
      this.#note(hash)
      // All stand-ins have one in common.
      if (this.hasWholeXorb(hash)) this.#sync(this.#file(hash, 'xorbs'))
      else this.#keep(Buffer.concat([content, formatChunks(chunks)]), this.#file(hash, 'xorbs'))
    }
    this.#note(oid)
    const list = this.#file(oid, 'chunked')
    const bytes = Buffer.from(JSON.stringify(file))
    // A whole list of other xorbs stays: a power cut could spoil these.
    if (existsSync(list) && !isSame(list, bytes) && this.#syncChunked(oid, false)) return
    this.#keep(bytes, list)
    this.#xetFiles.set(oid, file)
  }

  receive(content: LfsContent, isInParts = false): LfsUpload {
    const { oid } = content
    this.#note(oid)
    const file = this.#file(oid)
    const isKnown = this.#whole.has(file) && existsSync(file)
    if (!isInParts && isKnown) return new CheckedUpload(content, noSink)
    return new CheckedUpload(
      content,
      this.#sink(file, () => this.has(oid)),
    )
  }

  // Its file is removed later, when it has no readers.
  release(oid: string): void {
    this.#received.delete(oid)
    this.#releasedAt ??= Date.now()
  }

  /** Notes that the state refers to other contents. */
  forget(): void {
    this.#received.clear()
    this.#releasedAt ??= Date.now()
  }

  /** Real time in ms of the first release since the last removal. A xorb is released when no file uses it. */
  get releasedAt(): number | undefined {
    return this.#releasedAt
  }

  #note(name: string): void {
    this.#received.set(name, Date.now())
  }

  /** Removes leftovers of earlier runs, released contents and unused contents. */
  async removeUnused(use: RepoUse): Promise<void> {
    this.#releasedAt = undefined
    await this.#unfinished.sweep()
    for (const [name, time] of this.#received) if (isLongAgo(time)) this.#received.delete(name)
    const isLeft = (oid: string) => !use.isUsed(oid) && !this.#received.has(oid)
    // Chosen before the state is synced: what is released later may be needed after a power cut.
    const plain = (await this.#names()).filter(isLeft)
    const chunked = (await this.#names('chunked')).filter(isLeft)
    if (plain.length + chunked.length > 0) {
      const { ids } = await use.listKept()
      const remove = async (oids: readonly string[], kind?: Kind) => {
        for (const oid of oids) {
          if (!isLeft(oid) || ids.has(oid)) continue
          this.#xetFiles.delete(oid)
          await this.#remove(this.#file(oid, kind))
        }
      }
      await remove(plain)
      await remove(chunked, 'chunked')
    }
    await this.#removeUnusedXorbs(use)
  }

  async #removeUnusedXorbs(use: RepoUse): Promise<void> {
    const used = new Set<string>()
    for (const oid of await this.#names('chunked')) {
      for (const { xorb } of this.xetFile(oid)?.terms ?? []) used.add(xorb)
    }
    const isLeft = (hash: string) => !used.has(hash) && !this.#received.has(hash)
    const left = (await this.#names('xorbs')).filter(isLeft)
    // The lists that had them must not come back after a power cut.
    if (left.length > 0) await this.#writer.synced()
    for (const hash of left) {
      if (!isLeft(hash)) continue
      use.forgetXorbs?.()
      await this.#remove(this.#file(hash, 'xorbs'))
    }
  }

  /** Removes a file. It has lost its name at once: an upload that comes meanwhile keeps its own. */
  async #remove(file: string): Promise<void> {
    const gone = this.#unfinished.next()
    this.#whole.delete(file)
    try {
      this.#unfinished.make()
      renameSync(file, gone)
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return
      throw fileError('remove', file, error)
    }
    await rm(gone, { force: true })
  }

  /** @param isReplacing whether the content is here already, and must stay if a power cut spoils what is not synced */
  #sink(file: string, isReplacing = () => existsSync(file)): FileSink {
    const makeFolder = () => this.#unfinished.make()
    const name = (temporary: string) => this.#name(temporary, file)
    return new FileSink(this.#unfinished.next(), { makeFolder, name, isReplacing })
  }

  /** Writes a file, unless it has these bytes. */
  #keep(bytes: Buffer, file: string): void {
    if (isSame(file, bytes)) {
      this.#whole.add(file)
      return this.#sync(file)
    }
    const temporary = this.#unfinished.next()
    try {
      this.#unfinished.make()
      writeFileSync(temporary, bytes, { mode: 0o600, flush: existsSync(file) })
      this.#name(temporary, file)
    } catch (error) {
      throw fileError('write', file, error)
    }
  }

  #name(temporary: string, file: string): void {
    // Its upload may have begun long ago.
    this.#note(basename(file))
    makeFolder(dirname(file))
    renameSync(temporary, file)
    this.#whole.add(file)
    this.#sync(file)
  }

  #sync(file: string): void {
    this.#writer.note(file, foldersAbove(file, dirname(dirname(this.#folder))))
  }

  #hashOfTerms({ terms }: XetFile): string {
    const hash = createHash('sha256')
    for (const { xorb, from, bytes } of terms) {
      for (let start = from; start < from + bytes; start += hashedAtOnce) {
        const end = Math.min(start + hashedAtOnce, from + bytes)
        hash.update(this.readXorb(xorb, { start, end }))
      }
    }
    return hash.digest('hex')
  }

  /** Lists the names of all contents of a kind. */
  async #names(kind?: Kind): Promise<string[]> {
    const names: string[] = []
    const folder = this.#folderOf(kind)
    for (const first of await namesIn(folder)) {
      if (!isPart.test(first)) continue
      for (const second of await namesIn(join(folder, first))) {
        const found = await namesIn(join(folder, first, second))
        names.push(...found.filter((name) => isOid.test(name)))
      }
    }
    return names
  }

  #folderOf(kind?: Kind): string {
    return kind === undefined ? this.#folder : join(this.#folder, kind)
  }

  #file(oid: string, kind?: Kind): string {
    // The id becomes part of a path.
    if (!isOid.test(oid)) throw new TypeError(`${JSON.stringify(oid)} is no SHA-256`)
    return join(this.#folderOf(kind), oid.slice(0, 2), oid.slice(2, 4), oid)
  }
}

/** Returns false for a file that is missing or damaged. @throws {StateError} when the disk does not let it be read */
function isFound(look: () => boolean): boolean {
  try {
    return look()
  } catch (error) {
    if (error instanceof StateError && !isPassing(error)) return false
    throw error
  }
}

/** Checks whether a file has these bytes. */
function isSame(file: string, bytes: Buffer): boolean {
  try {
    return readFileSync(file).equals(bytes)
  } catch {
    return false
  }
}

/** Returns the SHA-256 of a file. @throws {StateError} when the disk refuses it */
function hashOf(file: string): string {
  const hash = createHash('sha256')
  const bytes = Buffer.allocUnsafe(hashedAtOnce)
  try {
    const descriptor = openSync(file, 'r')
    try {
      for (let length = -1; length !== 0;) {
        length = readSync(descriptor, bytes)
        hash.update(bytes.subarray(0, length))
      }
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw fileError('read', file, error)
  }
  return hash.digest('hex')
}

/** Lists the folders of a path, up to `top`. */
function foldersAbove(path: string, top: string): string[] {
  const folder = dirname(path)
  return folder === top ? [top] : [folder, ...foldersAbove(folder, top)]
}

/** @throws {StateError} for a damaged file */
function readXetFile(file: string): XetFile | undefined {
  if (!existsSync(file)) return undefined
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as XetFile
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw fileError('read', file, error)
    throw new StateError(`${file} is damaged: it has no list of chunks`, { file })
  }
}
