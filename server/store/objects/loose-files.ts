import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import { errorCode, fileError, StateError, isPassing } from '../errors.ts'
import { readIfThere } from '../files.ts'
import { makeFolder } from '../make-folder.ts'
import {
  type GitObject,
  headBytes,
  readLooseHeader,
  unpackLoose,
  unpackLooseAside,
} from './loose-object.ts'
import { GitFormatError, type ObjectType } from './object-id.ts'
import { MissingObjectError } from './object-store.ts'
import { namesIn, Unfinished } from './unfinished.ts'

/** Contents of the files of a bare repo. */
const ofBareRepo = [
  ['HEAD', 'ref: refs/heads/main\n'],
  ['config', '[core]\n\trepositoryformatversion = 0\n\tbare = true\n'],
] as const

/** Objects of a bare git repo, and the files by which git recognizes a repo. */
export class LooseFiles {
  readonly #folder: string
  readonly #objects: string
  readonly #unfinished: Unfinished

  constructor(folder: string, unfinished: Unfinished, objects = join(folder, 'objects')) {
    this.#folder = folder
    this.#objects = objects
    this.#unfinished = unfinished
  }

  /** Folder with objects only, to be read. */
  static within(objects: string): LooseFiles {
    return new LooseFiles(objects, new Unfinished(objects), objects)
  }

  file(id: string): string {
    // Joined by hand, because it is computed for every read and needs no normalization.
    return `${this.#objects}${sep}${id.slice(0, 2)}${sep}${id.slice(2)}`
  }

  has(id: string): boolean {
    return existsSync(this.file(id))
  }

  /**
   * Marks an object as written just now, so that `git prune` keeps it.
   * @returns false if it is not there, or belongs to another user: write it then
   */
  freshen(id: string): boolean {
    try {
      const seconds = Date.now() / 1000
      utimesSync(this.file(id), seconds, seconds)
      return true
    } catch (error) {
      if (errorCode(error) === undefined) throw error
      if (isPassing(error)) throw fileError('write', this.file(id), error)
      return false
    }
  }

  read(id: string): GitObject {
    return this.#reading(id, (file) => unpackLoose(readFileSync(file), id))
  }

  header(id: string): { type: ObjectType; size: number } {
    return this.#reading(id, (file) => {
      const descriptor = openSync(file, 'r')
      try {
        const head = Buffer.alloc(headBytes)
        return readLooseHeader(head.subarray(0, readSync(descriptor, head)))
      } finally {
        closeSync(descriptor)
      }
    })
  }

  /** Reads an object in a thread. @throws as {@link read} */
  async readWhole(id: string): Promise<GitObject> {
    const file = this.file(id)
    try {
      return await unpackLooseAside(await readFile(file), id)
    } catch (error) {
      throw readingError(file, id, error)
    }
  }

  /** Returns a path for an unfinished file. */
  temporary(): string {
    return this.#unfinished.next()
  }

  /** Removes an unfinished file. If this fails, a later run removes it. */
  discard(temporary: string): void {
    try {
      rmSync(temporary, { force: true })
    } catch (error) {
      if (errorCode(error) === undefined) throw error
    }
  }

  /** Creates the folder of a path. */
  makeTemporary(): void {
    this.#unfinished.make()
  }

  /** @param bytes of the compressed object */
  write(id: string, bytes: Uint8Array): void {
    const temporary = this.temporary()
    try {
      ifMissing(
        () => writeFileSync(temporary, bytes, { mode: 0o600 }),
        () => this.makeTemporary(),
      )
      this.name(temporary, id)
    } catch (error) {
      this.discard(temporary)
      throw fileError('write', this.file(id), error)
    }
  }

  /** Moves a complete file to its final name. */
  name(temporary: string, id: string): void {
    this.#inFolderOf(id, () => renameSync(temporary, this.file(id)))
  }

  /** Returns the ids of all objects. @throws {StateError} */
  async *ids(): AsyncGenerator<string, void, undefined> {
    const list = (folder: string) =>
      namesIn(folder).catch((error: unknown) => {
        throw fileError('read', folder, error)
      })
    for (const start of await list(this.#objects)) {
      if (!/^[0-9a-f]{2}$/.test(start)) continue
      for (const rest of await list(join(this.#objects, start))) {
        if (/^[0-9a-f]{38}$/.test(rest)) yield start + rest
      }
    }
  }

  /** Moves an object's file from another folder on this disk. @throws {StateError} */
  take(from: LooseFiles, id: string): void {
    try {
      // Git writes read-only files, which cannot be synced.
      chmodSync(from.file(id), 0o600)
      this.name(from.file(id), id)
    } catch (error) {
      throw fileError('write', this.file(id), error)
    }
  }

  /** Shares an object's file with another folder. @throws {StateError} */
  link(from: LooseFiles, id: string): void {
    if (this.has(id)) return
    try {
      this.#inFolderOf(id, () => linkOrCopy(from.file(id), this.file(id)))
    } catch (error) {
      throw fileError('write', this.file(id), error)
    }
  }

  /** Runs an operation that needs the folder of an object, and creates the folder if it is missing. */
  #inFolderOf(id: string, work: () => void): void {
    ifMissing(work, () =>
      ifMissing(
        () => makeOne(`${this.#objects}${sep}${id.slice(0, 2)}`),
        () => this.make(),
      ),
    )
  }

  /** Folders that must be synced with the file of an object to survive a power cut: those above it, and the data folder. */
  folders(id: string): string[] {
    const repos = dirname(this.#folder)
    const above = [this.#objects, this.#folder, repos, dirname(repos)]
    return [join(this.#objects, id.slice(0, 2)), ...above]
  }

  /**
   * Creates the files by which git recognizes a repo, if they are missing or spoiled by a power cut: they are not synced.
   * @throws {StateError} when the disk refuses it
   */
  make(): void {
    try {
      makeFolder(join(this.#folder, 'refs'))
      for (const [name, text] of ofBareRepo) {
        const file = join(this.#folder, name)
        if (readIfThere(file) !== text) writeFileSync(file, text, { mode: 0o600 })
      }
      makeFolder(this.#objects)
    } catch (error) {
      throw fileError('write', this.#folder, error)
    }
  }

  #reading<T>(id: string, read: (file: string) => T): T {
    const file = this.file(id)
    try {
      return read(file)
    } catch (error) {
      throw readingError(file, id, error)
    }
  }
}

/** Returns the error of an object's file. */
function readingError(file: string, id: string, error: unknown): Error {
  if (errorCode(error) === 'ENOENT') return new MissingObjectError(id, file)
  if (!(error instanceof GitFormatError)) return fileError('read', file, error)
  return new StateError(`${file} is damaged: ${error.message}`, { file, cause: error })
}

/** Retries after a missing folder, because checking for the folder each time would double the cost. */
function ifMissing(work: () => void, make: () => void): void {
  try {
    work()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    make()
    work()
  }
}

/** Creates a folder whose parents exist: a new repo has one for nearly each object. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another object may have created it; the following write reports any other problem.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Errors of disks without links, and of a file with too many. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!['EPERM', 'EXDEV', 'EMLINK', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error) ?? '')) {
      throw error
    }
    copyFileSync(from, to)
  }
}
