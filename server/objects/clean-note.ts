import { createHash } from 'node:crypto'
import { readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode, fileError } from '../state/errors.ts'
import { writeTextSync } from '../state/private-files.ts'
import type { RepoRefs } from './object-store.ts'

/** Note that no object of these repos is unused; it is removed before the first write. */
export interface Clean {
  /** {@link hashRefs} of all repos. */
  readonly refs: string
  /** Marks of data beside the state that may need objects, too. */
  readonly kept: readonly string[]
}

/**
 * Says beside the repos that nothing in them is unused, so that the next start need not read all of it. It goes before
 * the first object gets its name, and comes when a run ends well: a program that is killed leaves none.
 */
export class CleanNote {
  readonly #file: string
  /** Read once; null = none. */
  #said: Clean | null | undefined
  #isGone = false

  constructor(folder: string) {
    this.#file = join(folder, 'nothing-unused.json')
  }

  /** Result of the previous run. */
  said(): Clean | undefined {
    if (this.#said === undefined) this.#said = readNote(this.#file) ?? null
    return this.#said ?? undefined
  }

  /** @throws {StateError} */
  remove(): void {
    if (this.#isGone) return
    this.said()
    try {
      unlinkSync(this.#file)
    } catch (error) {
      const isThere = !['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')
      if (isThere) throw fileError('remove', this.#file, error)
    }
    this.#isGone = true
  }

  /** Writes the note. If that fails, the next start looks for unused objects. */
  write(clean: Clean): void {
    try {
      writeTextSync(this.#file, JSON.stringify(clean))
    } catch (error) {
      if (errorCode(error) === undefined) throw error
    }
  }
}

/** One that was cut off says nothing. */
function readNote(file: string): Clean | undefined {
  try {
    const { refs, kept } = JSON.parse(readFileSync(file, 'utf8')) as Partial<Clean>
    if (typeof refs === 'string' && Array.isArray(kept)) return { refs, kept }
  } catch (error) {
    if (!(error instanceof SyntaxError || errorCode(error) !== undefined)) throw error
  }
  return undefined
}

/** One hash of where all refs lead, a repo a step. */
export function* hashRefs(
  repos: readonly RepoRefs[],
  take: (hash: string) => void,
): Generator<void, void, undefined> {
  const hash = createHash('sha256')
  for (const { id, refs } of repos.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    hash.update(
      JSON.stringify([
        id,
        Object.entries(refs)
          .map((ref) => ref.join(' '))
          .toSorted(),
      ]),
    )
    yield
  }
  take(hash.digest('hex'))
}
