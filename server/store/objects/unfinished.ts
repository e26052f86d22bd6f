import { randomBytes } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, fileError } from '../errors.ts'
import { makeFolder } from '../make-folder.ts'

/** Folder of unfinished files, so that those of a killed program are found without a search. */
export class Unfinished {
  readonly #folder: string
  readonly #run = randomBytes(6).toString('hex')
  #count = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  /** Returns an unused path, in a folder that may not exist. */
  next(): string {
    this.#count += 1
    return join(this.#folder, `${this.#run}-${this.#count}`)
  }

  /** Creates the folder. @throws {StateError} */
  make(): void {
    try {
      makeFolder(this.#folder)
    } catch (error) {
      throw fileError('write', this.#folder, error)
    }
  }

  /** Removes leftovers of earlier runs. */
  async sweep(): Promise<void> {
    for (const name of await namesIn(this.#folder)) {
      if (name.startsWith(this.#run)) continue
      await rm(join(this.#folder, name), { recursive: true, force: true })
    }
  }
}

/** Time that an opened or received content is kept before the state refers to it. */
const unknownMs = 3_600_000

/** @param time real, in ms */
export function isLongAgo(time: number): boolean {
  return Date.now() - time > unknownMs
}

/** Lists a folder; a missing one is empty. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
}
