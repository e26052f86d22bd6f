/** Estimated bytes of memory for each entry, and for each kind of entries on a shelf. */
const [entryBytes, kindBytes] = [500, 500]

interface CacheEntry {
  readonly shelf: Shelf
  readonly kind: string
  readonly key: string
  readonly value: unknown
  readonly bytes: number
  /** Number of insertions when the entry was last moved to the end. */
  turn: number
}

/** Cache of one repo, by kind. Most keys are ids, so no key has to be built. */
export interface CacheShelf {
  get(kind: string, key: string): unknown
  /** @param size bytes of memory, about */
  put(kind: string, key: string, value: unknown, size: number): void
}

/**
 * Cache of parsed objects and conclusions; the least recently used is evicted first. Entries used since the last insertion
 * keep their former order: reordering at each read would cost more than most reads.
 */
export class ObjectCache {
  readonly #limitBytes: number
  #bytes = 0
  #turn = 0
  /** Entries in the order of eviction. */
  readonly #entries = new Set<CacheEntry>()
  /** Shelves that are not empty. */
  readonly #shelves = new Map<string, Shelf>()
  readonly #keeper: ShelfKeeper = {
    use: (entry) => this.#use(entry),
    put: (shelf, kind, key, value, size) =>
      this.#put({ shelf, kind, key, value, bytes: size + entryBytes, turn: ++this.#turn }),
  }

  constructor(limitBytes = 48 * 1024 * 1024) {
    this.#limitBytes = limitBytes
  }

  /** Returns the shelf of a name; the same one as long as it is not empty. */
  shelf(name: string): CacheShelf {
    return this.#shelves.get(name) ?? new Shelf(name, this.#keeper)
  }

  /** Removes all entries of a shelf. */
  clear(name: string): void {
    for (const entries of this.#shelves.get(name)?.kinds.values() ?? []) {
      for (const entry of entries.values()) this.#remove(entry)
    }
  }

  #use(entry: CacheEntry): void {
    if (entry.turn === this.#turn) return
    entry.turn = this.#turn
    this.#entries.delete(entry)
    this.#entries.add(entry)
  }

  #put(entry: CacheEntry): void {
    const { shelf, kind, key, bytes } = entry
    this.#remove(shelf.kinds.get(kind)?.get(key))
    let entries = shelf.kinds.get(kind)
    if (entries === undefined) {
      shelf.kinds.set(kind, (entries = new Map()))
      this.#shelves.set(shelf.name, shelf)
      this.#bytes += kindBytes
    }
    entries.set(key, entry)
    this.#entries.add(entry)
    this.#bytes += bytes
    for (const oldest of this.#entries) {
      if (this.#bytes <= this.#limitBytes) return
      this.#remove(oldest)
    }
  }

  #remove(entry: CacheEntry | undefined): void {
    if (entry === undefined) return
    const { shelf, kind, key, bytes } = entry
    this.#bytes -= bytes
    this.#entries.delete(entry)
    const entries = shelf.kinds.get(kind)
    entries?.delete(key)
    if (entries?.size !== 0) return
    shelf.kinds.delete(kind)
    this.#bytes -= kindBytes
    if (shelf.kinds.size === 0 && this.#shelves.get(shelf.name) === shelf) {
      this.#shelves.delete(shelf.name)
    }
  }
}

interface ShelfKeeper {
  use(entry: CacheEntry): void
  put(shelf: Shelf, kind: string, key: string, value: unknown, size: number): void
}

class Shelf implements CacheShelf {
  readonly name: string
  /** Entries by kind and key. */
  readonly kinds = new Map<string, Map<string, CacheEntry>>()
  readonly #keeper: ShelfKeeper

  constructor(name: string, keeper: ShelfKeeper) {
    this.name = name
    this.#keeper = keeper
  }

  get(kind: string, key: string): unknown {
    const entry = this.kinds.get(kind)?.get(key)
    if (entry === undefined) return undefined
    this.#keeper.use(entry)
    return entry.value
  }

  put(kind: string, key: string, value: unknown, size: number): void {
    this.#keeper.put(this, kind, key, value, size)
  }
}
