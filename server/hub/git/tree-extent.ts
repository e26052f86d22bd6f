import { GitFormatError } from '../../store/objects/object-id.ts'
import type { Conclusion, ObjectStore } from '../../store/objects/object-store.ts'
import type { TreeEntry } from '../../store/objects/tree-codec.ts'

/** Limit of files and folders in a pushed commit, since listing them takes time in proportion. */
const mostEntries = 250_000
/** Limit of a path in bytes: no system opens a longer one, and the API refuses it too. */
const longestPath = 4096

/** Totals of a folder; an entry in several places counts in each. */
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

/** Measures folders without listing them: a few hundred bytes may expand to billions of files. */
export class TreeMeter {
  readonly #objects: ObjectStore
  readonly #readTree: (id: string) => readonly TreeEntry[]
  readonly #read = new Set<string>()

  /**
   * @param objects store that caches the results
   * @param readTree reads a folder @throws {GitFormatError} if it is unreadable
   */
  constructor(objects: ObjectStore, readTree: (id: string) => readonly TreeEntry[]) {
    this.#objects = objects
    this.#readTree = readTree
  }

  /** Checks whether a folder was read successfully. */
  hasRead(id: string): boolean {
    return this.#read.has(id)
  }

  /** Returns the limit that a folder exceeds; `undefined` if none, or if it is unreadable. */
  findExcess(id: string): string | undefined {
    const found = this.#measure(id, 0)
    return typeof found === 'string' ? found : undefined
  }

  /** @returns the exceeded limit as soon as it is known: it holds for all enclosing folders */
  #measure(id: string, depth: number): Extent | string {
    const known = this.#objects.recall(extents, id)
    if (known !== undefined) return known
    // Each folder adds at least a character and a slash.
    if (depth > longestPath / 2) return tooLong
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
      const below = type === 'directory' ? this.#measure(oid, depth + 1) : none
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
