import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileError } from '../../store/errors.ts'
import { readIfThere } from '../../store/files.ts'
import type { Refs } from '../../store/objects/object-store.ts'
import { WeakValues } from '../../store/objects/weak-values.ts'

/** Sorts refs as git does. */
export function sortedRefs(refs: Refs): (readonly [ref: string, id: string])[] {
  return Object.entries(refs).toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

/**
 * Formats the file `packed-refs`.
 * @param peel returns the target of an annotated tag, or the id itself
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
 * Files in which git finds the refs of repos. The state is the source of truth: missing or different files are rewritten, each atomically.
 */
export class RefFiles {
  /** Refs that were last written to each folder. */
  readonly #written = new WeakValues<Refs>()

  readonly #temporary: () => string

  /** @param temporary returns names for unfinished files on the same disk */
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
    } catch (error) {
      throw fileError('write', file, error)
    }
  }

  /** Replaces a file atomically. */
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
