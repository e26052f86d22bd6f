import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mainRef } from '../hub/files/revisions.ts'
import { errorCode, fileError } from '../state/errors.ts'
import type { Refs } from '../objects/object-store.ts'
import { WeakValues } from '../objects/weak-values.ts'

const headFile = `ref: ${mainRef}\n`

/** Names and ids in the order in which git tells refs. */
export function sortedRefs(refs: Refs): (readonly [ref: string, id: string])[] {
  return Object.entries(refs).toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

/**
 * Refs as the file in which git looks for them.
 * @param peel gives what a tag is for, where it is an object; else its own id
 * @see gitformat of `packed-refs`: git-pack-refs, refs/packed-backend.c
 */
export function formatPackedRefs(refs: Refs, peel: (id: string) => string): string {
  const lines = sortedRefs(refs).map(([name, id]) => {
    const behind = name.startsWith('refs/tags/') ? peel(id) : id
    return `${id} ${name}\n${behind === id ? '' : `^${behind}\n`}`
  })
  return `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`
}

/**
 * The files in which git finds the refs of repos. They follow from the state, which is the truth: where they are not as it
 * says, or gone, they are written anew, each at once.
 */
export class RefFiles {
  /** What each folder was last seen to have. */
  readonly #written = new WeakValues<Refs>()

  readonly #temporary: () => string

  /** @param temporary names files that are not whole yet, on the disk of the repos */
  constructor(temporary: () => string) {
    this.#temporary = temporary
  }

  /**
   * @param folder a bare repo
   * @throws {StateError} when the disk refuses it
   */
  bring(folder: string, refs: Refs, peel: (id: string) => string): void {
    const file = join(folder, 'packed-refs')
    try {
      if (this.#written.get(folder) !== refs || !existsSync(file)) {
        const text = formatPackedRefs(refs, peel)
        if (readIfThere(file) !== text) this.#replace(file, text)
        this.#written.set(folder, refs)
      }
      const head = join(folder, 'HEAD')
      if (!existsSync(head)) this.#replace(head, headFile)
    } catch (error) {
      throw fileError('write', file, error)
    }
  }

  /** Nobody ever sees half of it. */
  #replace(file: string, text: string): void {
    const temporary = this.#temporary()
    try {
      writeFileSync(temporary, text, { mode: 0o600 })
      renameSync(temporary, file)
    } catch (error) {
      rmSync(temporary, { force: true })
      throw error
    }
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
