import type { GitObject } from './loose-object.ts'
import type { Refs, RepoRefs } from './object-store.ts'
import { reach } from './unused.ts'
import { performance } from '../core/timers.ts'

/** Above this number of new objects the reachability check at shutdown is skipped. */
const mostNew = 5000

/** For so long an end of a run may take longer. */
const longestMs = 500

/** Objects that may be unused at the end of a run that began without any: written ones, and former targets of refs. */
export class LooseEnds {
  /** By repo. */
  readonly #added = new Map<string, Set<string>>()
  #count = 0
  /** By repo; absent = it is unknown which objects were unused before. */
  #before: ReadonlyMap<string, Refs> | undefined
  #isUnsure = false

  /** An object is new in a repo, or unused and stays. */
  add(repoId: string, id: string): void {
    if (this.#isUnsure) return
    let ids = this.#added.get(repoId)
    if (ids === undefined) this.#added.set(repoId, (ids = new Set()))
    ids.add(id)
    this.#count += 1
    if (this.#count > mostNew) this.giveUp()
  }

  /** Something may be unused, and it would take too long to say what. */
  giveUp(): void {
    this.#isUnsure = true
    this.#added.clear()
    this.#before = undefined
  }

  /** Nothing was unused but for what was added, as long as refs led there. */
  begin(repos: Iterable<RepoRefs>): void {
    if (this.#isUnsure) return
    this.#before = new Map([...repos].map(({ id, refs }) => [id, refs]))
  }

  /** @returns whether all of it is needed: refs lead to what was added, and through that to where they led before */
  async areTied({ now, isKept, read }: Ends): Promise<boolean> {
    if (this.#before === undefined) return false
    const endMs = performance.now() + longestMs
    for (const id of new Set([...this.#before.keys(), ...this.#added.keys()])) {
      const ends = { before: this.#before.get(id), added: this.#added.get(id) ?? nothing }
      const refs = now.get(id)
      if (refs === undefined) {
        // What it had goes with it, but not where something kept needs a part.
        if (isKept) return false
      } else if (refs !== ends.before || ends.added.size > 0) {
        const reading = (object: string) => read(id, object)
        if (!(await isTied(refs, ends, reading, endMs))) return false
      }
    }
    return true
  }
}

/** How it is at the end of a run. */
interface Ends {
  /** Refs of all repos. */
  readonly now: ReadonlyMap<string, Refs>
  /** Whether anything is kept beside the state. */
  readonly isKept: boolean
  readonly read: (repoId: string, id: string) => Promise<GitObject | undefined>
}

const nothing: ReadonlySet<string> = new Set()

async function isTied(
  refs: Refs,
  { before, added }: { before: Refs | undefined; added: ReadonlySet<string> },
  read: (id: string) => Promise<GitObject | undefined>,
  endMs: number,
): Promise<boolean> {
  const reached = new Set<string>()
  // What was there has been reached before: only what is new is opened.
  const readAdded = async (id: string) => (added.has(id) ? read(id) : undefined)
  for await (const _ of reach(readAdded, Object.values(refs), reached)) {
    if (performance.now() > endMs) return false
  }
  return [...added, ...Object.values(before ?? {})].every((id) => reached.has(id))
}
