import { GitFormatError } from '../objects/object-id.ts'
import type { Conclusion, ObjectStore } from '../objects/object-store.ts'
import type { TreeEntry } from '../objects/tree-codec.ts'

/** Files and folders of a commit that a push brings: each answer about all of them takes a time that grows with these. */
const mostEntries = 250_000
/** Of a path, in bytes: no system opens a longer one, and the API takes none. */
const longestPath = 4096

/** What all below a folder comes to; what stands in several places counts in each, as for whoever lists it. */
interface Extent {
  /** Files and folders. */
  readonly entries: number
  /** Bytes of the longest path. */
  readonly longest: number
}

const extents: Conclusion<Extent> = { name: 'extent', sizeOf: () => 100 }
const tooMany = `it has more than ${mostEntries} files and folders`
const tooLong = `it has paths of more than ${longestPath} bytes`
const none: Extent = { entries: 0, longest: 0 }

/** Measures folders without listing what is in them: a few hundred bytes may stand for more files than there are stars. */
export class TreeMeter {
  readonly #objects: ObjectStore
  readonly #readTree: (id: string) => readonly TreeEntry[]
  readonly #pause: () => Promise<void> | undefined
  readonly #read = new Set<string>()

  /**
   * @param objects in which what was found out is kept
   * @param readTree gives what a folder holds @throws {GitFormatError} where that cannot be read
   * @param pause gives others their turn
   */
  constructor(
    objects: ObjectStore,
    readTree: (id: string) => readonly TreeEntry[],
    pause: () => Promise<void> | undefined,
  ) {
    this.#objects = objects
    this.#readTree = readTree
    this.#pause = pause
  }

  /** Whether a folder was read here, and can be. */
  hasRead(id: string): boolean {
    return this.#read.has(id)
  }

  /** Why nobody could list a folder; `undefined` where everybody can, and for one that cannot be read at all. */
  async findExcess(id: string): Promise<string | undefined> {
    const found = await this.#measure(id, 0)
    return typeof found === 'string' ? found : undefined
  }

  /** @returns what is too much as soon as that is known: it is for all that it is part of, too */
  async #measure(id: string, depth: number): Promise<Extent | string> {
    const known = this.#objects.recall(extents, id)
    if (known !== undefined) return known
    // Each folder adds a letter and a slash at least.
    if (depth > longestPath / 2) return tooLong
    await this.#pause()
    let entries: readonly TreeEntry[]
    try {
      entries = this.#readTree(id)
    } catch (error) {
      if (error instanceof GitFormatError) return none
      throw error
    }
    this.#read.add(id)
    let [count, longest] = [0, 0]
    for (const { name, type, oid } of entries) {
      const below = type === 'directory' ? await this.#measure(oid, depth + 1) : none
      if (typeof below === 'string') return below
      count += 1 + below.entries
      if (count > mostEntries) return tooMany
      longest = Math.max(
        longest,
        Buffer.byteLength(name) + (below.longest > 0 ? 1 + below.longest : 0),
      )
      if (longest > longestPath) return tooLong
    }
    const extent = { entries: count, longest }
    this.#objects.remember(extents, id, extent)
    return extent
  }
}
