import { renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { takeSlices } from './slices.ts'
import { CachingStore } from './caching-store.ts'
import { type GitObject, packLoose, packLooseAside } from './loose-object.ts'
import { FolderLfs } from './folder-lfs.ts'
import { MemoryLfs } from './memory-lfs.ts'
import { LooseFiles } from './loose-files.ts'
import { inMemoryBytes, openLoose, streamOf } from './blob-stream.ts'
import { ObjectCache } from './object-cache.ts'
import { gitObjectId, type ObjectType } from './object-id.ts'
import type {
  BlobRange,
  Conclusion,
  KeptObjects,
  ObjectStore,
  ObjectStores,
  RepoKey,
  RepoRefs,
  RepoUse,
} from './object-store.ts'
import { MissingObjectError } from './object-store.ts'
import { ObjectWriter } from './object-writer.ts'
import { newObjects, refTargets } from './held-contents.ts'
import { copyReachable, reachable } from './reachable.ts'
import { setDue } from './prune-due.ts'
import { isLongAgo, namesIn, Unfinished } from './unfinished.ts'
import { WeakValues } from './weak-values.ts'
import { isPassing, StateError } from '../errors.ts'
import type { Holds } from '../written-change.ts'

/** Larger contents are compressed by a thread. */
const packedAtOnce = 64 * 1024

/** Creating links counts as writing this many bytes, so it is never synchronous. */
const linkingBytes = 1024 ** 3

/** Size of an object in bytes, cached because lists of files need it often. */
const knownSize: Conclusion<number> = { name: 'size', sizeOf: () => 0 }

/** Parts that the stores of a folder share. */
interface Shared {
  readonly cache: ObjectCache
  readonly writer: ObjectWriter
  readonly unfinished: Unfinished
}

class FolderStore extends CachingStore {
  readonly #files: LooseFiles
  readonly #shared: Shared
  /** Objects that are not in their files yet. */
  readonly #pending = new Map<string, GitObject>()
  /** Store that has the objects being linked. */
  #base: ObjectStore | undefined

  constructor(folder: string, repoId: string, shared: Shared) {
    super(shared.cache, repoId)
    this.#files = new LooseFiles(folder, shared.unfinished)
    this.#shared = shared
  }

  has(id: string): boolean {
    return this.#pending.has(id) || this.#files.has(id) || (this.#base?.has(id) ?? false)
  }

  /** Checks whether the repo has its own whole copy of an object, and marks it as new for `git prune`. */
  #freshen(id: string): boolean {
    return this.#pending.has(id) || (this.#files.freshen(id) && this.syncFound([id]))
  }

  /**
   * Syncs existing objects with the next sync: an earlier run may have ended before it did.
   * @returns false if one is missing or damaged, as a power cut leaves what was not synced
   * @throws {StateError} when the disk does not let it be read: what replaced it would not be synced, as it may be
   */
  syncFound(ids: Iterable<string>): boolean {
    try {
      for (const id of ids) {
        this.#files.read(id)
        this.#note(id)
      }
      return true
    } catch (error) {
      if (isPassing(error)) throw error
      if (error instanceof MissingObjectError || error instanceof StateError) return false
      throw error
    }
  }

  read(id: string): GitObject {
    return this.#pending.get(id) ?? this.#baseOf(id)?.read(id) ?? this.#files.read(id)
  }

  size(id: string): number {
    const pending = this.#pending.get(id)
    if (pending !== undefined) return pending.content.length
    const known = this.recall(knownSize, id) ?? this.#baseOf(id)?.size(id)
    if (known !== undefined) return known
    const { size } = this.#files.header(id)
    this.remember(knownSize, id, size)
    return size
  }

  write(type: ObjectType, content: Uint8Array): string {
    const id = gitObjectId(type, content)
    if (this.#freshen(id)) return id
    // A copy: the caller may reuse the memory of the bytes.
    const object = { type, content: Buffer.from(content) }
    const size = content.length
    this.#pending.set(id, object)
    const keep = (packed: Buffer) => {
      this.#files.write(id, packed)
      this.#note(id)
      this.#pending.delete(id)
    }
    this.#shared.writer.add(size, () =>
      size > packedAtOnce ? packLooseAside(object).then(keep) : keep(packLoose(object)),
    )
    return id
  }

  openBlob(id: string, range?: BlobRange): Readable {
    if (this.size(id) > inMemoryBytes && !this.#pending.has(id)) {
      return this.#baseOf(id)?.openBlob(id, range) ?? openLoose(this.#files, id, range)
    }
    const { content } = this.read(id)
    return streamOf(range === undefined ? content : content.subarray(range.start, range.end))
  }

  async takeLoose(folder: string): Promise<void> {
    const from = LooseFiles.within(folder)
    for await (const id of from.ids()) {
      if (this.#freshen(id)) continue
      this.#files.take(from, id)
      this.#note(id)
    }
  }

  /** @throws {StateError} */
  makeFolder(): void {
    this.#files.make()
  }

  /** Gives this repo all objects that commits of another need; until then it reads them there. */
  link(source: FolderStore, commitIds: readonly string[]): void {
    this.#base = source
    this.#shared.writer.add(linkingBytes, async () => {
      const pause = takeSlices()
      for (const id of reachable(source, commitIds)) {
        this.#linkFile(source, id)
        const turn = pause()
        if (turn !== undefined) await turn
      }
      this.#base = undefined
    })
  }

  /** Returns the store of another repo that has an object which is not linked here yet. */
  #baseOf(id: string): ObjectStore | undefined {
    return this.#base?.has(id) === true && !this.#files.has(id) ? this.#base : undefined
  }

  #linkFile(source: FolderStore, id: string): void {
    this.#files.link(source.#files, id)
    this.#note(id)
  }

  #note(id: string): void {
    this.#shared.writer.note(this.#files.file(id), this.#files.folders(id))
  }
}

/** Captured objects of a folder: none is removed until the capture is released. */
class CapturedFolder implements KeptObjects {
  readonly folder: FolderObjects

  constructor(folder: FolderObjects) {
    this.folder = folder
  }

  of(repo: RepoKey): ObjectStore {
    return this.folder.of(repo)
  }

  get lfs(): FolderLfs {
    return this.folder.lfs
  }
}

/** Captures that are in use. */
class Captures {
  readonly #refs = new Set<WeakRef<CapturedFolder>>()

  add(capture: CapturedFolder): CapturedFolder {
    this.#refs.add(new WeakRef(capture))
    return capture
  }

  isAny(): boolean {
    for (const ref of this.#refs) if (ref.deref() === undefined) this.#refs.delete(ref)
    return this.#refs.size > 0
  }
}

const isRepoId = /^[0-9a-f]{24}$/

class FolderObjects implements ObjectStores {
  readonly lfs: FolderLfs
  readonly #folder: string
  readonly #stores = new WeakValues<FolderStore>()
  /** Repos in use, even if the state does not refer to them yet, with the times at which they were opened. */
  readonly #opened = new Map<string, number>()
  readonly #captures = new Captures()
  #releasedAt: number | undefined
  #prepared: KeptObjects | undefined
  readonly #shared: Shared
  #sweeping: Promise<void> | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#shared = {
      cache: new ObjectCache(),
      writer: new ObjectWriter(),
      unfinished: new Unfinished(join(folder, 'unfinished')),
    }
    this.lfs = new FolderLfs(join(folder, 'lfs'), this.#shared.writer)
  }

  of({ id }: RepoKey): FolderStore {
    const known = this.#stores.get(id)
    if (known !== undefined) return known
    // The id becomes part of a path.
    if (!isRepoId.test(id)) throw new TypeError(`${JSON.stringify(id)} is no id of a repo`)
    const made = new FolderStore(this.#fileOf(id), id, this.#shared)
    this.#stores.set(id, made)
    this.#opened.set(id, Date.now())
    return made
  }

  duplicate(from: RepoKey, to: RepoKey, commitIds: readonly string[]): void {
    this.of(to).link(this.of(from), commitIds)
  }

  capture(): KeptObjects {
    return this.#captures.add(new CapturedFolder(this))
  }

  // Its folder is removed later, when it has no readers.
  release({ id }: RepoKey): void {
    this.#shared.cache.clear(id)
    this.#opened.delete(id)
    this.#noteReleased()
  }

  forget(): void {
    for (const id of this.#opened.keys()) setDue(this.#fileOf(id))
    this.#opened.clear()
    this.lfs.forget()
    this.#noteReleased()
  }

  noteUnreachable({ id }: RepoKey): void {
    setDue(this.#fileOf(id))
  }

  readonly holds: Holds = ({ collection, id, members, before }) => {
    if (collection === 'repos') {
      const repo = this.of({ id })
      return repo.syncFound(newObjects(repo, refTargets(members), new Set(refTargets(before))))
    }
    const { oid } = members
    const isContent = collection === 'lfsFiles' || collection === 'bucketFiles'
    if (!isContent || typeof oid !== 'string') return true
    // A file of a bucket has a content that is checked by its LFS file; the empty one is not in the store.
    const isAny = collection === 'bucketFiles' || members['standsFor'] !== undefined
    return members['size'] === 0 || this.lfs.syncFound(oid, isAny ? 'chunks' : 'content')
  }

  get releasedAt(): number | undefined {
    return this.#releasedAt ?? this.lfs.releasedAt
  }

  #noteReleased(): void {
    this.#releasedAt ??= Date.now()
  }

  prepare(kept: KeptObjects, repos: Iterable<RepoRefs>): void {
    this.#copy(kept, repos)
    this.#prepared = kept
  }

  adopt(kept: KeptObjects, repos: Iterable<RepoRefs>): void {
    const isPrepared = this.#prepared === kept
    this.#prepared = undefined
    if (!isPrepared) this.#copy(kept, repos)
  }

  // A capture of another store comes from fixtures, whose large files are in chunks.
  #copy(kept: KeptObjects, repos: Iterable<RepoRefs>): void {
    if (kept === this || (kept instanceof CapturedFolder && kept.folder === this)) return
    if (kept.lfs instanceof MemoryLfs) {
      for (const { oid, file, xorbs } of kept.lfs.ownFiles()) this.lfs.keepOwn(oid, file, xorbs)
    }
    for (const repo of repos) copyReachable(kept.of(repo), this.of(repo), Object.values(repo.refs))
  }

  written(): Promise<void> | undefined {
    return this.#shared.writer.written()
  }

  synced(): Promise<void> | undefined {
    return this.#shared.writer.synced()
  }

  async folderFor(repo: RepoKey): Promise<string> {
    await this.written()
    this.of(repo).makeFolder()
    return this.#fileOf(repo.id)
  }

  temporary(): string {
    this.#shared.unfinished.make()
    return this.#shared.unfinished.next()
  }

  removeUnused(use: RepoUse): Promise<void> {
    const sweeping = this.#sweep(use)
    // The caller receives its failure.
    this.#sweeping = sweeping.catch(() => undefined)
    return sweeping
  }

  async close(): Promise<void> {
    await this.#sweeping
    await this.synced()
  }

  async #sweep(use: RepoUse): Promise<void> {
    await this.#shared.unfinished.sweep()
    if (this.#captures.isAny()) return
    this.#releasedAt = undefined
    for (const [id, time] of this.#opened) if (isLongAgo(time)) this.#opened.delete(id)
    await this.lfs.removeUnused(use)
    await this.#removeRepos(use)
  }

  async #removeRepos(use: RepoUse): Promise<void> {
    const left = (await this.#repoIds()).filter((id) => !use.isUsed(id))
    if (left.length === 0) return
    const { unfinished } = this.#shared
    const { ids } = await use.listKept()
    for (const id of left) {
      if (ids.has(id) || this.#opened.has(id) || use.isUsed(id)) continue
      const gone = unfinished.next()
      unfinished.make()
      renameSync(this.#fileOf(id), gone)
      // A reset keeps it for repos that come back with their ids.
      this.#shared.cache.clear(id)
      await rm(gone, { recursive: true, force: true })
    }
  }

  async #repoIds(): Promise<string[]> {
    return (await namesIn(this.#folder))
      .filter((name) => name.endsWith('.git'))
      .map((name) => name.slice(0, -'.git'.length))
      .filter((id) => isRepoId.test(id))
  }

  #fileOf(id: string): string {
    return join(this.#folder, `${id}.git`)
  }
}

/**
 * Objects in a folder, in one bare repo of git for each repo, and contents of Git LFS beside them.
 * @param folder created with the first object; nothing in it is read before it is needed
 */
export function createFolderObjects(folder: string): ObjectStores {
  return new FolderObjects(folder)
}
