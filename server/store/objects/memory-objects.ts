import type { Readable } from 'node:stream'
import { CachingStore } from './caching-store.ts'
import type { CommitObject } from './commit-codec.ts'
import type { KeptLfsContents } from './lfs-contents.ts'
import { LooseFiles } from './loose-files.ts'
import type { GitObject } from './loose-object.ts'
import { streamOf } from './blob-stream.ts'
import { ObjectCache } from './object-cache.ts'
import { MemoryLfs } from './memory-lfs.ts'
import { gitObjectId, type ObjectType } from './object-id.ts'
import {
  type BlobRange,
  type KeptObjects,
  MissingObjectError,
  type ObjectStore,
  type ObjectStores,
  type RepoKey,
  type RepoRefs,
} from './object-store.ts'
import { ContentsFolder } from './contents-folder.ts'
import { reachable } from './reachable.ts'
import { ReleasedStores } from './released-stores.ts'
import type { TreeEntry } from './tree-codec.ts'
import { WrittenRepos } from './written-repos.ts'

/** Estimated bytes of an object in addition to its content. */
const objectOverhead = 300

/** Objects in memory, over those of another store that it only reads. */
class MemoryStore extends CachingStore {
  readonly #own: Map<string, GitObject>
  readonly #base: ObjectStore | undefined

  constructor(
    cache: ObjectCache,
    repoId: string,
    base?: ObjectStore,
    own = new Map<string, GitObject>(),
  ) {
    super(cache, repoId)
    this.#base = base
    this.#own = own
  }

  has(id: string): boolean {
    return this.#own.has(id) || (this.#base?.has(id) ?? false)
  }

  read(id: string): GitObject {
    const object = this.#own.get(id) ?? this.#base?.read(id)
    if (object === undefined) throw new MissingObjectError(id)
    return object
  }

  // A store over another is often short-lived, so parsed objects are cached in the base.
  override readTree(id: string): readonly TreeEntry[] {
    return this.#baseOf(id)?.readTree(id) ?? super.readTree(id)
  }

  override readCommit(id: string): CommitObject {
    return this.#baseOf(id)?.readCommit(id) ?? super.readCommit(id)
  }

  size(id: string): number {
    const size = this.#own.get(id)?.content.length ?? this.#base?.size(id)
    if (size === undefined) throw new MissingObjectError(id)
    return size
  }

  /** Bytes of memory, without the base. */
  get memory(): number {
    let bytes = 0
    for (const { content } of this.#own.values()) bytes += objectOverhead + content.length
    return bytes
  }

  write(type: ObjectType, content: Uint8Array): string {
    const id = gitObjectId(type, content)
    // A copy, because the caller may reuse the memory. The base is not asked for it, which could read the disk.
    if (!this.#own.has(id)) this.#own.set(id, { type, content: Buffer.from(content) })
    return id
  }

  /** Shares the bytes of an object of another store of the same sandbox. */
  take(id: string, from: MemoryStore): void {
    if (!this.has(id)) this.#own.set(id, from.#own.get(id) ?? from.read(id))
  }

  openBlob(id: string, range?: BlobRange): Readable {
    const own = this.#own.get(id)
    if (own === undefined && this.#base !== undefined) return this.#base.openBlob(id, range)
    const { content } = this.read(id)
    return streamOf(range === undefined ? content : content.subarray(range.start, range.end))
  }

  async takeLoose(folder: string): Promise<void> {
    const from = LooseFiles.within(folder)
    for await (const id of from.ids()) {
      if (this.has(id)) continue
      this.#own.set(id, await from.readWhole(id))
    }
  }

  #baseOf(id: string): ObjectStore | undefined {
    return this.#own.has(id) ? undefined : this.#base
  }

  /** Creates a store that begins with the same objects. Neither sees later objects of the other. */
  branch(cache: ObjectCache, repoId: string): MemoryStore {
    return new MemoryStore(cache, repoId, this.#base, new Map(this.#own))
  }
}

class MemoryObjects implements ObjectStores {
  readonly #base: KeptObjects | undefined
  readonly #place = new ContentsFolder()
  readonly #written = new WrittenRepos(this.#place)
  readonly #cache = new ObjectCache()
  readonly lfs: MemoryLfs
  #repos = new Map<string, MemoryStore>()
  #released = new ReleasedStores<MemoryStore>()

  constructor(base?: KeptObjects) {
    this.#base = base
    this.lfs = new MemoryLfs(this.#place, base?.lfs)
  }

  of(repo: RepoKey): MemoryStore {
    const known = this.#repos.get(repo.id) ?? this.#released.get(repo.id)
    if (known !== undefined) return known
    const made = new MemoryStore(this.#cache, repo.id, this.#base?.of(repo))
    this.#repos.set(repo.id, made)
    return made
  }

  duplicate(from: RepoKey, to: RepoKey, commitIds: readonly string[]): void {
    const [source, target] = [this.of(from), this.of(to)]
    for (const id of reachable(source, commitIds)) {
      target.take(id, source)
    }
  }

  capture(): KeptObjects {
    return new CapturedObjects(new Map(this.#repos), this.lfs.capture())
  }

  release({ id }: RepoKey): void {
    const store = this.#repos.get(id)
    if (store === undefined) return
    // Captures keep it.
    this.#repos.delete(id)
    this.#released.add(id, store)
    this.#cache.clear(id)
  }

  forget(): void {
    // Captures keep the old ones.
    this.#repos = new Map()
    this.#released = new ReleasedStores()
    this.lfs.forget()
  }

  // Nothing is copied.
  prepare(): void {}

  adopt(kept: KeptObjects, repos: Iterable<RepoRefs>): void {
    this.lfs.adopt(kept.lfs)
    for (const { id } of repos) {
      const store = kept.of({ id })
      this.#repos.set(
        id,
        store instanceof MemoryStore
          ? store.branch(this.#cache, id)
          : new MemoryStore(this.#cache, id, store),
      )
    }
  }

  written(): undefined {
    return undefined
  }

  synced(): undefined {
    return undefined
  }

  folderFor(repo: RepoRefs): Promise<string> {
    return this.#written.folderFor(repo, this.of(repo))
  }

  temporary(): string {
    return this.#written.unfinished().next()
  }

  noteUnreachable(): void {}

  get releasedAt(): undefined {
    return undefined
  }

  async removeUnused(): Promise<void> {}

  close(): Promise<void> {
    return this.#place.remove()
  }
}

class CapturedObjects implements KeptObjects {
  readonly #repos: ReadonlyMap<string, MemoryStore>
  readonly lfs: KeptLfsContents

  constructor(repos: ReadonlyMap<string, MemoryStore>, lfs: KeptLfsContents) {
    this.#repos = repos
    this.lfs = lfs
  }

  of({ id }: RepoKey): ObjectStore {
    return this.#repos.get(id) ?? new MemoryStore(new ObjectCache(), id)
  }
}

/**
 * Objects that end with the program.
 * @param base objects to start with, which stay unchanged
 */
export function createMemoryObjects(base?: KeptObjects): ObjectStores {
  return new MemoryObjects(base)
}
