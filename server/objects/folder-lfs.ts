import { existsSync, renameSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileError, StateError } from '../state/errors.ts'
import { makeFolder } from '../state/make-folder.ts'
import type { LfsContent, LfsContents, LfsUpload } from './lfs-contents.ts'
import { readFileRange } from './blob-stream.ts'
import { CheckedUpload, FileSink, noSink } from './lfs-upload.ts'
import type { BlobRange, RepoUse } from './object-store.ts'
import type { ObjectWriter } from './object-writer.ts'
import { namesIn, Unfinished } from './unfinished.ts'

const isOid = /^[0-9a-f]{64}$/
const isPart = /^[0-9a-f]{2}$/

/** Before anything of it is answered: who was promised more than comes waits for the rest. */
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

/** Contents of Git LFS in a folder: `ab/cd/abcd…`. */
export class FolderLfs implements LfsContents {
  readonly #folder: string
  readonly #writer: Pick<ObjectWriter, 'note'>
  readonly #unfinished: Unfinished
  /** Contents in use, even if the state does not refer to them yet. */
  readonly #received = new Set<string>()

  /** @param writer syncs the files */
  constructor(folder: string, writer: Pick<ObjectWriter, 'note'>) {
    this.#folder = folder
    this.#writer = writer
    this.#unfinished = new Unfinished(join(folder, 'unfinished'))
  }

  has(oid: string): boolean {
    return existsSync(this.#file(oid))
  }

  open(oid: string, range?: BlobRange): Readable {
    const file = this.#file(oid)
    assertHolds(file, range?.end ?? 0)
    return readFileRange(file, range)
  }

  receive(content: LfsContent, isInParts = false): LfsUpload {
    const { oid } = content
    this.#received.add(oid)
    if (!isInParts && this.has(oid)) return new CheckedUpload(content, noSink)
    const sink = new FileSink(this.#unfinished.next(), {
      makeFolder: () => this.#unfinished.make(),
      name: (file) => this.#name(file, oid),
    })
    return new CheckedUpload(content, sink)
  }

  // A later run removes it: that run knows every content to keep.
  release(): void {}

  /** Removes what earlier runs have left, and what nothing names. */
  async removeUnused(use: RepoUse): Promise<void> {
    await this.#unfinished.sweep()
    const left = (await this.#oids()).filter((oid) => !use.isUsed(oid))
    if (left.length === 0) return
    const { ids } = await use.listKept()
    for (const oid of left) {
      if (ids.has(oid) || this.#received.has(oid) || use.isUsed(oid)) continue
      await rm(this.#file(oid), { force: true })
    }
  }

  #name(temporary: string, oid: string): void {
    const file = this.#file(oid)
    makeFolder(dirname(file))
    renameSync(temporary, file)
    const folders = [dirname(file), dirname(dirname(file)), this.#folder, dirname(this.#folder)]
    this.#writer.note(file, folders)
  }

  async #oids(): Promise<string[]> {
    const oids: string[] = []
    for (const first of await namesIn(this.#folder)) {
      if (!isPart.test(first)) continue
      for (const second of await namesIn(join(this.#folder, first))) {
        const names = await namesIn(join(this.#folder, first, second))
        oids.push(...names.filter((name) => isOid.test(name)))
      }
    }
    return oids
  }

  #file(oid: string): string {
    // It becomes a part of a path.
    if (!isOid.test(oid)) throw new TypeError(`${JSON.stringify(oid)} is no SHA-256`)
    return join(this.#folder, oid.slice(0, 2), oid.slice(2, 4), oid)
  }
}
