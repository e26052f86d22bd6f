import type { Readable } from 'node:stream'
import type { CommitObject } from './commit-codec.ts'
import type { KeptLfsContents, LfsContents } from './lfs-contents.ts'
import type { GitObject } from './loose-object.ts'
import type { ObjectType } from './object-id.ts'
import type { TreeEntry } from './tree-codec.ts'
import type { Holds } from '../written-change.ts'

// Contents of repos: files, folders and commits, with git's exact bytes under git's ids. Usage:
//
//   const objects = deps.objects.of(repo)         // the objects of one repo, and of no other
//   readCommit(objects, id), findPath(objects, …) // functions of the domain (hub/files/git-objects.ts, hub/files/trees.ts)
//   objects.size(oid)                             // bytes of a file, without reading it
//   objects.openBlob(oid, { start, end })         // a file, or a range of it, as a stream
//   commitFiles(deps, { operations: [{ kind: 'add', path, oid, size }] })   // refers to a content written before
//
// A synchronous write is visible to all readers at once. It reaches the disk (`written`), and is synced (`synced`), before the
// line of the journal that refers to it.

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
   * Releases the objects of a deleted repo. A reader that continues after other requests had their turns must hold the result
   * of {@link ObjectStores.of}.
   */
  release(repo: RepoKey): void
  /** Deletes the objects of all repos. */
  forget(): void
  /**
   * Brings the captured objects of repos to where {@link ObjectStores.adopt} needs them, beside the present ones.
   * @throws {StateError} when the disk refuses it
   */
  prepare(kept: KeptObjects, repos: Iterable<RepoRefs>): void
  /** Restores the captured objects of repos. @throws {StateError} when they were not prepared and the disk refuses it */
  adopt(kept: KeptObjects, repos: Iterable<RepoRefs>): void
  /**
   * Resolves when all writes so far are in files; `undefined` if they are.
   * @throws {StateError} when the disk refuses it: the writes stay in memory, and the next call tries again
   */
  written(): Promise<void> | undefined
  /** Resolves when all writes so far survive a power cut; `undefined` if they do. @throws as {@link written} */
  synced(): Promise<void> | undefined
  /** Checks a change that was perhaps never synced; see `WrittenBefore.holds`. Absent = nothing outlasts the program. */
  readonly holds?: Holds
  /**
   * Returns a bare repo with all objects that the refs of a repo reach. The caller writes the refs.
   * @throws {StateError} when the disk refuses it
   */
  folderFor(repo: RepoRefs): Promise<string>
  /**
   * Returns a path for an unfinished file or folder, on the disk of {@link folderFor}. If the program ends before it is
   * renamed, a later one removes it.
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
   * Removes released files of this run and leftovers of earlier ones: unfinished files, deleted repos, and contents of Git LFS
   * that no repo has. It does nothing while captures are in use. In other repos, `git prune` removes unreachable objects
   * (hub/git/prune.ts).
   */
  removeUnused(use: RepoUse): Promise<void>
  /** Removes temporary files of this run. */
  close(): Promise<void>
}

/** Uses of repos and LFS objects, by ids and hashes. */
export interface RepoUse {
  /** Checks whether the state refers to an id. */
  isUsed(id: string): boolean
  /** Lists the uses by data beside the state, such as snapshots, once the state survives a power cut. */
  listKept(): Promise<KeptUse>
  /** Called before a xorb is removed that clients may remember. */
  readonly forgetXorbs?: () => void
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
