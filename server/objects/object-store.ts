import type { Readable } from 'node:stream'
import type { CommitObject } from './commit-codec.ts'
import type { KeptLfsContents, LfsContents } from './lfs-contents.ts'
import type { GitObject } from './loose-object.ts'
import type { ObjectType } from './object-id.ts'
import type { TreeEntry } from './tree-codec.ts'

// Contents of repos: files, folders and commits, as the exact bytes that git has of them, under the ids that git
// computes. How they are used:
//
//   const objects = deps.objects.of(repo)         // the objects of one repo; no other repo's are found in it
//   readCommit(objects, id), findPath(objects, …) // the words of the domain (hub/files/git-objects.ts, hub/files/trees.ts)
//   objects.size(oid)                             // bytes of a file, without reading it
//   objects.openBlob(oid, { start, end })         // a file, or a range of it, as a stream
//   commitFiles(deps, { operations: [{ kind: 'add', path, oid, size }] })   // refers to a content written before
//
// What is written synchronously is at once there for all who read. It reaches the disk later, but before the line of
// the journal that makes it visible (`written`), and is synced before that line is (`synced`).

/**
 * The objects of one repo. Nothing in it is ever changed; what is written, found by {@link ObjectStore.has} or reached by a
 * ref while the program runs is not taken away by it.
 */
export interface ObjectStore {
  has(id: string): boolean
  /**
   * A whole object. Meant for small ones: contents of files are better streamed.
   * @throws {Error} when it is not there
   * @throws {StateError} when the disk has something else in its place
   */
  read(id: string): GitObject
  /** Bytes of an object's content. @throws as {@link read} */
  size(id: string): number
  /** The entries of a folder. @throws as {@link read}, also for what is no folder */
  readTree(id: string): readonly TreeEntry[]
  /** @throws as {@link read}, also for what is no commit */
  readCommit(id: string): CommitObject
  /** Keeps an object; what is there already is not written twice. @returns its id */
  write(type: ObjectType, content: Uint8Array): string
  /** @param entries in the order of git */
  writeTree(entries: readonly TreeEntry[]): string
  writeCommit(commit: CommitObject): string
  /**
   * A file's content.
   * @param range from byte `start` on, `end` excluded; it has to lie within
   * @throws as {@link read}, for a damaged one the stream does
   */
  openBlob(id: string, range?: BlobRange): Readable
  /**
   * Takes all objects of a folder that are there as files of their own, where nothing else does any more.
   * @param folder below {@link ObjectStores.temporary}
   * @throws {StateError} when the disk refuses it; what was taken by then stays
   */
  takeLoose(folder: string): Promise<void>
  /** What was found out before, unless it was forgotten to make room. */
  recall<T>(conclusion: Conclusion<T>, key: string): T | undefined
  /** Keeps what follows from objects alone, and so is true as long as they are there. */
  remember<T>(conclusion: Conclusion<T>, key: string, value: T): void
}

/** One kind of what can be found out about objects. */
export interface Conclusion<T> {
  /** No other one's. */
  readonly name: string
  /** Bytes of memory that a value takes, about. */
  readonly sizeOf: (value: T) => number
}

export interface BlobRange {
  readonly start: number
  readonly end: number
}

/** What stands for a repo: its folder is named by its id, since names change and disks may ignore case. */
export interface RepoKey {
  readonly id: string
}

/** What the objects of repos are at one moment, whatever becomes of the repos. */
export interface KeptObjects {
  of(repo: RepoKey): ObjectStore
  readonly lfs: KeptLfsContents
}

/** A repo, with what is visible of it. */
export interface RepoRefs extends RepoKey {
  readonly refs: Refs
}

/** The objects of all repos. */
export interface ObjectStores extends KeptObjects {
  readonly lfs: LfsContents
  /** Gives a repo all that commits of another need. */
  duplicate(from: RepoKey, to: RepoKey, commitIds: readonly string[]): void
  /**
   * Whatever is forgotten afterwards.
   * @param repos whose refs somebody will count on, too
   */
  capture(repos?: Iterable<RepoRefs>): KeptObjects
  /**
   * A repo is gone: whoever goes on to look at its objects after a while, others having had their turns, has to have what
   * {@link ObjectStores.of} gave them.
   */
  release(repo: RepoKey): void
  /** No repo has objects any more. */
  forget(): void
  /** Gives repos what they had when it was captured. */
  adopt(kept: KeptObjects, repos: Iterable<RepoRefs>): void
  /**
   * Resolves when all that was written so far is in files; `undefined` when it is.
   * @throws {StateError} when the disk refuses it: it stays in memory, and the next call tries again
   */
  written(): Promise<void> | undefined
  /** Resolves when all that was written so far outlives a power cut; `undefined` when it does. @throws as {@link written} */
  synced(): Promise<void> | undefined
  /**
   * A bare repo in which git finds all that the refs of a repo lead to. What names them there is for the caller to write.
   * @param until resolves when git looks at it no more: until then nothing in it goes; absent = in this run
   * @throws {StateError} when the disk refuses it
   */
  folderFor(repo: RepoRefs, until?: Promise<void>): Promise<string>
  /**
   * A name for what is not whole yet, in a folder that is there and on the disk of {@link folderFor}: what still has it when
   * the program has ended is removed by a later one.
   * @throws {StateError} when the disk refuses it
   */
  temporary(): string
  /**
   * Removes what earlier runs have left: files that were cut off, repos and contents that nothing names any more, and in
   * the repos what nothing reaches, unless the run before has seen that there is none. A repo that git looks at meanwhile is put off, and of one that is damaged nothing more goes.
   * @throws {Error} the first that kept it from a part of the work
   */
  removeUnused(use: RepoUse): Promise<void>
  /** Lets go of what is for this run alone. */
  close(): Promise<void>
}

/** Which repos, and which contents of Git LFS, something names, by their ids and hashes. */
export interface RepoUse {
  /** The state does. */
  isUsed(id: string): boolean
  /** What the state says of a repo; `undefined` where it has none of that id. */
  refsOf(id: string): Refs | undefined
  /** All that the state has now, also when the run has ended. */
  repos(): Iterable<RepoRefs>
  /** What it had when it was opened. */
  readonly reposBefore: readonly RepoRefs[]
  /** Tells what is kept beside the state apart: each by a word that is another when it has changed. */
  listMarks(): Promise<readonly string[]>
  /** What is kept beside it does. */
  listKept(): Promise<KeptUse>
  /** Resolves when what the state says now outlives a power cut. */
  settled(): Promise<void>
}

export interface KeptUse {
  readonly ids: ReadonlySet<string>
  /** Where refs of these repos lead, of whichever. */
  readonly targets: ReadonlySet<string>
}

/** Full ref name to id. */
export type Refs = Readonly<Record<string, string>>

/** An id is no object of a repo, although something of it says so. */
export class MissingObjectError extends Error {
  override readonly name = 'MissingObjectError'
  /** Where it should be; absent where objects are in memory. */
  readonly file?: string

  constructor(id: string, file?: string) {
    super(`the object ${id} is missing${file === undefined ? '' : `: ${file} does not exist`}`)
    if (file !== undefined) this.file = file
  }
}
