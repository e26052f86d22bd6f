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
import { errorCode, fileError, StateError } from '../state/errors.ts'
import { makeFolder } from '../state/make-folder.ts'
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

/** A bare repo of git, as far as it has objects, and what git looks for to take a folder for one. */
export class LooseFiles {
  readonly #folder: string
  readonly #objects: string
  readonly #unfinished: Unfinished

  constructor(folder: string, unfinished: Unfinished, objects = join(folder, 'objects')) {
    this.#folder = folder
    this.#objects = objects
    this.#unfinished = unfinished
  }

  /** A folder that has objects and nothing else, to be read. */
  static within(objects: string): LooseFiles {
    return new LooseFiles(objects, new Unfinished(objects), objects)
  }

  file(id: string): string {
    // There is nothing to be normalized in it, and every look at an object asks for it.
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

  /** Removes a file that was not finished. What cannot be removed now is when a later run begins. */
  discard(temporary: string): void {
    try {
      rmSync(temporary, { force: true })
    } catch (error) {
      if (errorCode(error) === undefined) throw error
    }
  }

  /** Makes the folder in which that is. */
  makeTemporary(): void {
    this.#unfinished.make()
  }

  /** @param bytes as an object is packed */
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

  /** Gives a whole file its name. */
  name(temporary: string, id: string): void {
    this.#inFolderOf(id, () => renameSync(temporary, this.file(id)))
  }

  /** The ids of all that are there. */
  async *ids(): AsyncGenerator<string, void, undefined> {
    for (const start of await namesIn(this.#objects)) {
      if (!/^[0-9a-f]{2}$/.test(start)) continue
      for (const rest of await namesIn(join(this.#objects, start))) {
        if (/^[0-9a-f]{38}$/.test(rest)) yield start + rest
      }
    }
  }

  /** Takes an object's file from another folder on this disk. @throws {StateError} */
  take(from: LooseFiles, id: string): void {
    try {
      // Git writes files that nobody may write to, which could not be synced.
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

  /** Does something for which the folder of an object has to be there. */
  #inFolderOf(id: string, work: () => void): void {
    ifMissing(work, () =>
      ifMissing(
        () => makeOne(`${this.#objects}${sep}${id.slice(0, 2)}`),
        () => this.make(),
      ),
    )
  }

  /** Folders that must be synced with the file of an object to survive a power cut. */
  folders(id: string): string[] {
    const above = [this.#objects, this.#folder, dirname(this.#folder)]
    return [join(this.#objects, id.slice(0, 2)), ...above]
  }

  /** Makes what git takes for a repo, where it is not there. @throws {StateError} when the disk refuses it */
  make(): void {
    if (existsSync(this.#objects)) return
    makeFolder(join(this.#folder, 'refs'))
    const file = (name: string, text: string) =>
      writeFileSync(join(this.#folder, name), text, { mode: 0o600 })
    file('HEAD', 'ref: refs/heads/main\n')
    file('config', '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
    makeFolder(this.#objects)
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

/** Tells what is wrong with the file of an object. */
function readingError(file: string, id: string, error: unknown): Error {
  if (errorCode(error) === 'ENOENT') return new MissingObjectError(id, file)
  if (!(error instanceof GitFormatError)) return fileError('read', file, error)
  return new StateError(`${file} is damaged: ${error.message}`, { file, cause: error })
}

/** Folders are there nearly always: looking for them each time would cost as much as the work. */
function ifMissing(work: () => void, make: () => void): void {
  try {
    work()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    make()
    work()
  }
}

/** Makes a folder of which those above it are there: a new repo has one for nearly each of its objects. */
function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another object has brought it meanwhile; any other obstacle is reported by the write that follows.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}

/** Not every disk has links, and a file has only so many. */
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
