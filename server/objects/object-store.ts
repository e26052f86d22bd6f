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
 * Objects of one repo. They never change, and those that were written or reached by a ref in this run are not removed in it.
 */
export interface ObjectStore {
  has(id: string): boolean
  /**
   * Reads a whole object. Use {@link ObjectStore.openBlob} for contents of files.
   * @throws {Error} when it is not there
   * @throws {StateError} when its file is damaged
   */
  read(id: string): GitObject
  /** Returns the bytes of an object's content. @throws as {@link read} */
  size(id: string): number
  /** Returns the entries of a folder. @throws as {@link read}, also for other types */
  readTree(id: string): readonly TreeEntry[]
  /** @throws as {@link read}, also for other types */
  readCommit(id: string): CommitObject
  /** Stores an object; an existing one is not written twice. @returns its id */
  write(type: ObjectType, content: Uint8Array): string
  /** @param entries in the order of git */
  writeTree(entries: readonly TreeEntry[]): string
  writeCommit(commit: CommitObject): string
  /**
   * A file's content.
   * @param range from byte `start` to before `end`, within the content
   * @throws as {@link read}, for a damaged one the stream does
   */
  openBlob(id: string, range?: BlobRange): Readable
  /**
   * Moves all loose objects of a folder into the store; no other code uses the folder.
   * @param folder below {@link ObjectStores.temporary}
   * @throws {StateError} when the disk refuses it; objects moved by then stay
   */
  takeLoose(folder: string): Promise<void>
  /** Returns a cached conclusion, unless it was evicted. */
  recall<T>(conclusion: Conclusion<T>, key: string): T | undefined
  /** Caches a conclusion that follows from objects alone, and so stays true. */
  remember<T>(conclusion: Conclusion<T>, key: string, value: T): void
}

/** Kind of a cached conclusion. */
export interface Conclusion<T> {
  /** Unique name. */
  readonly name: string
  /** Estimated bytes of a value in memory. */
  readonly sizeOf: (value: T) => number
}

export interface BlobRange {
  readonly start: number
  readonly end: number
}

/** Key of a repo. Folders are named by its id, since names change and disks may ignore case. */
export interface RepoKey {
  readonly id: string
}

/** Objects of repos as captured at one moment. */
export interface KeptObjects {
  of(repo: RepoKey): ObjectStore
  readonly lfs: KeptLfsContents
}

/** Repo with its refs. */
export interface RepoRefs extends RepoKey {
  readonly refs: Refs
}

/** Objects of all repos. */
export interface ObjectStores extends KeptObjects {
  readonly lfs: LfsContents
  /** Gives a repo all objects that commits of another need. */
  duplicate(from: RepoKey, to: RepoKey, commitIds: readonly string[]): void
  /** Captures the objects, which stay even if they are deleted afterwards. */
  capture(): KeptObjects
  /**
   * A repo was deleted: a reader that continues with its objects after other requests had their turns must have what
   * {@link ObjectStores.of} gave them.
   */
  release(repo: RepoKey): void
  /** Deletes the objects of all repos. */
  forget(): void
  /** Restores the captured objects of repos. */
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
   * @throws {StateError} when the disk refuses it
   */
  folderFor(repo: RepoRefs): Promise<string>
  /**
   * A name for what is not whole yet, in a folder that is there and on the disk of {@link folderFor}: what still has it when
   * the program has ended is removed by a later one.
   * @throws {StateError} when the disk refuses it
   */
  temporary(): string
  /**
   * Notes that a ref of a repo was deleted, or moved to other commits: its objects may be unreachable.
   */
  noteUnreachable(repo: RepoKey): void
  /** Real time in ms at which something was released that is still on the disk; `undefined` if there is none. */
  readonly releasedAt: number | undefined
  /**
   * Removes what this run has released and what earlier runs have left: unfinished files, deleted repos, and contents of
   * Git LFS that no repo has. It does nothing while captured objects are in use. In the other repos, `git prune` removes
   * unreachable objects (git/prune.ts).
   */
  removeUnused(use: RepoUse): Promise<void>
  /** Removes temporary files of this run. */
  close(): Promise<void>
}

/** Uses of repos and LFS objects, by ids and hashes. */
export interface RepoUse {
  /** Checks whether the state refers to an id. */
  isUsed(id: string): boolean
  /** Lists the uses by data beside the state, such as snapshots, once what the state says outlives a power cut. */
  listKept(): Promise<KeptUse>
}

export interface KeptUse {
  readonly ids: ReadonlySet<string>
  /** Targets of all refs of these repos. */
  readonly targets: ReadonlySet<string>
}

/** Full ref name to id. */
export type Refs = Readonly<Record<string, string>>

/** Object that a repo refers to and does not have. */
export class MissingObjectError extends Error {
  override readonly name = 'MissingObjectError'
  /** Expected file; absent for objects in memory. */
  readonly file?: string

  constructor(id: string, file?: string) {
    super(`the object ${id} is missing${file === undefined ? '' : `: ${file} does not exist`}`)
    if (file !== undefined) this.file = file
  }
}
