import { renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { takeSlices } from '../core/slices.ts'
import { sleep } from '../core/timers.ts'
import { StateError } from '../state/errors.ts'
import { CachingStore } from './caching-store.ts'
import { CleanNote, hashRefs } from './clean-note.ts'
import { type GitObject, packLoose, packLooseAside } from './loose-object.ts'
import { FolderLfs } from './folder-lfs.ts'
import { LooseFiles } from './loose-files.ts'
import { LooseEnds } from './loose-ends.ts'
import { inMemoryBytes, openLoose, streamOf } from './blob-stream.ts'
import { ObjectCache } from './object-cache.ts'
import { ObjectSizes } from './object-sizes.ts'
import { gitObjectId, type ObjectType } from './object-id.ts'
import { MissingObjectError } from './object-store.ts'
import type {
  BlobRange,
  KeptObjects,
  KeptUse,
  ObjectStore,
  ObjectStores,
  RepoKey,
  RepoRefs,
  RepoUse,
} from './object-store.ts'
import { ObjectWriter } from './object-writer.ts'
import { copyReachable, reachable } from './reachable.ts'
import { namesIn, Unfinished } from './unfinished.ts'
import { reach, takeSteps, usersFirst } from './unused.ts'
import { WeakValues } from './weak-values.ts'

/** Larger contents are packed by a thread. */
const packedAtOnce = 64 * 1024

/** Making links counts as writing so many bytes: never at once. */
const linkingBytes = 1024 ** 3

/** How long a repo is left alone that git looks at, the first time and at most. */
const [firstPauseMs, longestPauseMs] = [100, 60_000]

/** Parts that the stores of a folder share. */
interface Shared {
  readonly cache: ObjectCache
  readonly writer: ObjectWriter
  readonly unfinished: Unfinished
  readonly note: CleanNote
  readonly ends: LooseEnds
  readonly sizes: ObjectSizes
  /** Repos of which something may still be removed in this run; absent = all. */
  awaited: ReadonlySet<string> | undefined
}

class FolderStore extends CachingStore {
  readonly #repoId: string
  readonly #files: LooseFiles
  readonly #shared: Shared
  /** Taken, and not yet in their files. */
  readonly #pending = new Map<string, GitObject>()
  /** Has what is just being linked. */
  #base: ObjectStore | undefined
  /** Objects in use apart from any refs: they were written or requested in this run. */
  readonly #counted = new Set<string>()
  /** Objects in use together with all objects that they need. */
  readonly #roots = new Set<string>()
  #isSpared = false
  /** How many look at all of it now, and have in this run. */
  readonly #looking = { now: 0, ever: 0 }

  constructor(folder: string, repoId: string, shared: Shared) {
    super(shared.cache, repoId)
    this.#repoId = repoId
    this.#files = new LooseFiles(folder, shared.unfinished)
    this.#shared = shared
  }

  has(id: string): boolean {
    return this.#hasOwn(id) || (this.#base?.has(id) ?? false)
  }

  /** Whether it has it by itself: of what it is being linked to, it gets no more than it was duplicated for. */
  #hasOwn(id: string): boolean {
    this.#countOn(id)
    return this.#pending.has(id) || this.#knownSize(id) !== undefined || this.#files.has(id)
  }

  read(id: string): GitObject {
    return this.#pending.get(id) ?? this.#baseOf(id)?.read(id) ?? this.#files.read(id)
  }

  size(id: string): number {
    const pending = this.#pending.get(id)
    if (pending !== undefined) return pending.content.length
    const known = this.#knownSize(id) ?? this.#baseOf(id)?.size(id)
    if (known !== undefined) return known
    const { size } = this.#files.header(id)
    this.#shared.sizes.set(this.#repoId, id, size)
    return size
  }

  write(type: ObjectType, content: Uint8Array): string {
    const id = gitObjectId(type, content)
    if (this.#hasOwn(id)) return id
    // A copy: the caller may reuse the memory of the bytes.
    const object = { type, content: Buffer.from(content) }
    const size = content.length
    this.#pending.set(id, object)
    const keep = (packed: Buffer) => {
      this.#adding(id)
      this.#files.write(id, packed)
      this.#written(id, size)
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
      if (this.#hasOwn(id)) continue
      this.#adding(id)
      this.#files.take(from, id)
      this.#shared.writer.note(this.#files.file(id), this.#files.folders(id))
    }
  }

  /** @throws {StateError} */
  makeFolder(): void {
    this.#files.make()
  }

  /** Gives this repo all that commits of another need; until it has them it looks there. */
  link(source: FolderStore, commitIds: readonly string[]): void {
    this.spare()
    source.countOnAllOf(commitIds)
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

  /** Stops all removal: a reader may use objects without naming them. */
  spare(): void {
    this.#isSpared = true
    if (!this.isSwept) this.#shared.ends.giveUp()
  }

  /** Nothing is removed meanwhile. */
  spareUntil(end: Promise<void>): void {
    this.#looking.now += 1
    this.#looking.ever += 1
    const leave = () => void (this.#looking.now -= 1)
    end.then(leave, leave)
  }

  /** @param ids of commits and tags */
  countOnAllOf(ids: Iterable<string>): void {
    if (this.isSwept) return
    // Where they lead may be unused later.
    this.#shared.ends.giveUp()
    for (const id of ids) this.#roots.add(id)
  }

  /**
   * Removes what nothing reaches and nobody counts on.
   * @param roots where refs lead, if it is there
   * @returns whether it has to be put off
   * @throws {StateError | GitFormatError} when the disk refuses it, or what something needs is not known
   */
  async removeUnused(roots: Iterable<string>, isClosing: () => boolean): Promise<boolean> {
    const { ever } = this.#looking
    const isLookedAt = () => this.#looking.now > 0 || this.#looking.ever > ever
    await this.#removeAllUnused(roots, () => this.#isSpared || isLookedAt() || isClosing())
    return isLookedAt() && !this.#isSpared
  }

  async #removeAllUnused(roots: Iterable<string>, hasEnded: () => boolean): Promise<void> {
    if (hasEnded()) return
    const reached = new Set<string>()
    const steps = reach((id) => this.find(id), [...roots, ...this.#roots], reached)
    if (!(await takeSteps(steps, hasEnded))) return
    const unused = new Set<string>()
    for await (const id of this.#files.ids()) if (!reached.has(id)) unused.add(id)
    const order: string[] = []
    const sorting = usersFirst((id) => this.#findLinks(id), unused, order)
    if (!(await takeSteps(sorting, hasEnded))) return
    await takeSteps(this.#remove(order, unused), hasEnded)
  }

  /** Between looking whether one is counted on and removing it nothing else happens. */
  *#remove(ids: readonly string[], unused: ReadonlySet<string>): Generator<void> {
    // Callers of git have excluded it.
    if (ids.length > 0) this.#files.forgetRefsTo(unused)
    for (const id of ids) {
      if (this.#counted.has(id)) {
        this.#shared.ends.add(this.#repoId, id)
      } else {
        this.#files.remove(id)
        this.#shared.sizes.delete(this.#repoId, id)
      }
      yield
    }
  }

  /** Reads an object that may refer to others. */
  async find(id: string): Promise<GitObject | undefined> {
    try {
      return (
        this.#pending.get(id) ?? this.#baseOf(id)?.read(id) ?? (await this.#files.readAside(id))
      )
    } catch (error) {
      if (error instanceof MissingObjectError) return undefined
      throw error
    }
  }

  /** One that goes, unless it is a file, or damaged: what it needs is of no matter then. */
  async #findLinks(id: string): Promise<GitObject | undefined> {
    try {
      return await this.#files.readAside(id)
    } catch (error) {
      if (error instanceof MissingObjectError || error instanceof StateError) return undefined
      throw error
    }
  }

  /** Nothing is removed any more. */
  get isSwept(): boolean {
    return this.#shared.awaited?.has(this.#repoId) === false
  }

  forgetCounted(): void {
    this.#counted.clear()
    this.#roots.clear()
  }

  #countOn(id: string): void {
    if (!this.isSwept) this.#counted.add(id)
  }

  /** Returns the store of another repo that has an object which this one does not have yet. */
  #baseOf(id: string): ObjectStore | undefined {
    return this.#base?.has(id) === true && !this.#files.has(id) ? this.#base : undefined
  }

  #linkFile(source: FolderStore, id: string): void {
    this.#adding(id)
    this.#files.link(source.#files, id)
    this.#shared.writer.note(this.#files.file(id), this.#files.folders(id))
  }

  /** To be called before an object gets its name: a program that is killed in between leaves none that nobody looks for. */
  #adding(id: string): void {
    this.#shared.note.remove()
    this.#shared.ends.add(this.#repoId, id)
  }

  #written(id: string, size: number): void {
    this.#shared.sizes.set(this.#repoId, id, size)
    this.#shared.writer.note(this.#files.file(id), this.#files.folders(id))
  }

  #knownSize(id: string): number | undefined {
    return this.#shared.sizes.get(this.#repoId, id)
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let done: Promise<T> | undefined
  return () => (done ??= work())
}

interface RepoRoots extends RepoKey {
  /** Ids of commits and tags. */
  readonly ids: readonly string[]
}

const isRepoId = /^[0-9a-f]{24}$/

class FolderObjects implements ObjectStores {
  readonly lfs: FolderLfs
  readonly #folder: string
  readonly #stores = new WeakValues<FolderStore>()
  /** Keeps the objects requested from these stores, which only the stores know. */
  readonly #held = new Set<FolderStore>()
  readonly #shared: Shared
  #sweeping: Promise<void> | undefined
  #use: RepoUse | undefined
  /** Data beside the state when this run began. */
  #marks: readonly string[] = []
  readonly #closing = new AbortController()

  constructor(folder: string) {
    this.#folder = folder
    this.#shared = {
      cache: new ObjectCache(),
      writer: new ObjectWriter(),
      unfinished: new Unfinished(join(folder, 'unfinished')),
      note: new CleanNote(folder),
      ends: new LooseEnds(),
      sizes: new ObjectSizes(),
      awaited: undefined,
    }
    this.lfs = new FolderLfs(join(folder, 'lfs'), this.#shared.writer)
  }

  of({ id }: RepoKey): FolderStore {
    const known = this.#stores.get(id)
    if (known !== undefined) return known
    // It becomes a part of a path.
    if (!isRepoId.test(id)) throw new TypeError(`${JSON.stringify(id)} is no id of a repo`)
    const made = new FolderStore(this.#fileOf(id), id, this.#shared)
    this.#stores.set(id, made)
    if (!made.isSwept) this.#held.add(made)
    return made
  }

  duplicate(from: RepoKey, to: RepoKey, commitIds: readonly string[]): void {
    this.of(to).link(this.of(from), commitIds)
  }

  // Nothing that refs of this run have led to is removed by it.
  capture(repos: Iterable<RepoRefs> = []): KeptObjects {
    this.#countOnRefs(repos)
    return this
  }

  // A later run removes its objects: that run knows every object to keep.
  release({ id }: RepoKey): void {
    this.#shared.cache.clear(id)
    this.#shared.sizes.clear(id)
  }

  forget(): void {}

  // What was kept elsewhere than here comes from fixtures, which have no contents of Git LFS.
  adopt(kept: KeptObjects, repos: Iterable<RepoRefs>): void {
    if (kept === this) return this.#countOnRefs(repos)
    for (const repo of repos) copyReachable(kept.of(repo), this.of(repo), Object.values(repo.refs))
  }

  written(): Promise<void> | undefined {
    return this.#shared.writer.written()
  }

  synced(): Promise<void> | undefined {
    return this.#shared.writer.synced()
  }

  async folderFor(repo: RepoRefs, until?: Promise<void>): Promise<string> {
    if (until === undefined) this.of(repo).spare()
    else this.of(repo).spareUntil(until)
    await this.written()
    this.of(repo).makeFolder()
    return this.#fileOf(repo.id)
  }

  temporary(): string {
    this.#shared.unfinished.make()
    return this.#shared.unfinished.next()
  }

  removeUnused(use: RepoUse): Promise<void> {
    this.#use = use
    const sweeping = this.#sweep(use)
    // The caller receives its failure.
    this.#sweeping = sweeping.catch(() => undefined)
    return sweeping
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#sweeping
    await this.synced()
    await this.#noteIfClean()
  }

  /** Says for the next start that it has nothing to look for, where that is sure. */
  async #noteIfClean(): Promise<void> {
    if (this.#use === undefined) return
    const repos = [...this.#use.repos()]
    if (repos.length === 0) return
    const kept = await this.#use.listMarks()
    if (!this.#marks.every((mark) => kept.includes(mark))) return
    const { ends, note } = this.#shared
    const areTied = await ends.areTied({
      now: new Map(repos.map(({ id, refs }) => [id, refs])),
      isKept: kept.length > 0,
      read: (repoId, id) => this.of({ id: repoId }).find(id),
    })
    if (!areTied) return
    for (const _ of hashRefs(repos, (refs) => note.write({ refs, kept })));
  }

  /** @returns whether nothing has changed since a run has seen that nothing is unused */
  async #isClean({ reposBefore }: RepoUse): Promise<boolean> {
    const said = this.#shared.note.said()
    if (said === undefined || !said.kept.every((mark) => this.#marks.includes(mark))) return false
    let isSame = false
    const hashing = hashRefs(reposBefore, (refs) => void (isSame = refs === said.refs))
    await takeSteps(hashing, () => this.#closing.signal.aborted)
    return isSame
  }

  async #sweep(use: RepoUse): Promise<void> {
    try {
      await this.#shared.unfinished.sweep()
      this.#marks = await use.listMarks()
      const kept = once(async () => {
        const listed = await use.listKept()
        // What is unused by now is so after a power cut, too.
        await use.settled()
        return listed
      })
      await this.lfs.removeUnused({ isUsed: (oid) => use.isUsed(oid), listKept: kept })
      await this.#removeRepos(use, kept)
      if (await this.#isClean(use)) this.#shared.ends.begin(use.reposBefore)
      else await this.#removeObjects(use, kept)
    } finally {
      this.#awaitOnly([])
    }
  }

  #awaitOnly(repos: readonly RepoKey[]): void {
    this.#shared.awaited = new Set(repos.map(({ id }) => id))
    for (const store of this.#held) {
      if (!store.isSwept) continue
      store.forgetCounted()
      this.#held.delete(store)
    }
  }

  async #removeRepos(use: RepoUse, kept: () => Promise<KeptUse>): Promise<void> {
    const left = (await this.#repoIds()).filter((id) => !use.isUsed(id))
    if (left.length === 0) return
    const { unfinished } = this.#shared
    const { ids } = await kept()
    for (const id of left) {
      // One of the same id may have been made, in this run or just now.
      if (ids.has(id) || this.#stores.has(id)) continue
      const gone = unfinished.next()
      unfinished.make()
      renameSync(this.#fileOf(id), gone)
      await rm(gone, { recursive: true, force: true })
    }
  }

  async #removeObjects(use: RepoUse, kept: () => Promise<KeptUse>): Promise<void> {
    const repoIds = await this.#repoIds()
    if (repoIds.length === 0) return this.#shared.ends.begin(use.repos())
    const { ids, targets } = await kept()
    const before = [...use.repos()]
    const roots = repoIds.map((id) => ({
      id,
      ids: [...Object.values(use.refsOf(id) ?? {}), ...(ids.has(id) ? targets : [])],
    }))
    // Refs that have moved by then lead to what these do, or to what was counted on since.
    await use.settled()
    const problems: unknown[] = []
    const { signal } = this.#closing
    let left = await this.#removeObjectsOf(roots, problems)
    for (let pauseMs = firstPauseMs; left.length > 0; pauseMs *= 2) {
      this.#awaitOnly(left)
      const options = { signal, ref: false }
      await sleep(Math.min(pauseMs, longestPauseMs), undefined, options).catch(() => undefined)
      if (signal.aborted) break
      // What was pushed meanwhile may need what was there before.
      const now = left.map(({ id, ids: before }) => ({
        id,
        ids: [...before, ...Object.values(use.refsOf(id) ?? {})],
      }))
      left = await this.#removeObjectsOf(now, problems)
    }
    if (problems.length > 0) throw problems[0]
    if (!signal.aborted) this.#shared.ends.begin(before)
  }

  /** @returns those that are to be looked at later */
  async #removeObjectsOf(roots: readonly RepoRoots[], problems: unknown[]): Promise<RepoRoots[]> {
    const left: RepoRoots[] = []
    for (const repo of roots) {
      try {
        const isPutOff = await this.of(repo).removeUnused(
          repo.ids,
          () => this.#closing.signal.aborted,
        )
        if (isPutOff) left.push(repo)
      } catch (error) {
        problems.push(error)
      }
    }
    return left
  }

  async #repoIds(): Promise<string[]> {
    return (await namesIn(this.#folder))
      .filter((name) => name.endsWith('.git'))
      .map((name) => name.slice(0, -'.git'.length))
      .filter((id) => isRepoId.test(id))
  }

  #countOnRefs(repos: Iterable<RepoRefs>): void {
    for (const repo of repos) this.of(repo).countOnAllOf(Object.values(repo.refs))
  }

  #fileOf(id: string): string {
    return join(this.#folder, `${id}.git`)
  }
}

/**
 * Objects in a folder, in one bare repo of git for each repo, and contents of Git LFS beside them.
 * @param folder made with the first of them; nothing in it is read before it is asked for
 */
export function createFolderObjects(folder: string): ObjectStores {
  return new FolderObjects(folder)
}
