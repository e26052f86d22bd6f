/** Bytes of memory that each value takes beside its own, and each kind of them on a shelf, about. */
const [entryBytes, kindBytes] = [500, 500]

interface CacheEntry {
  readonly shelf: Shelf
  readonly kind: string
  readonly key: string
  readonly value: unknown
  readonly bytes: number
  /** How many had been put when it was last moved to the end. */
  turn: number
}

/** Cache of one repo, by kind. Keys are mostly ids, so that none has to be built. */
export interface CacheShelf {
  get(kind: string, key: string): unknown
  /** @param size bytes of memory, about */
  put(kind: string, key: string, value: unknown, size: number): void
}

/**
 * Cache of parsed objects and conclusions; the least recently used is evicted first. Of those used since
 * something was last put, that is the one whose turn came first: to keep them in order each time would cost more than
 * most of what is asked for here.
 */
export class ObjectCache {
  readonly #limitBytes: number
  #bytes = 0
  #turn = 0
  /** In the order in which they go. */
  readonly #entries = new Set<CacheEntry>()
  /** Those that have anything. */
  readonly #shelves = new Map<string, Shelf>()
  readonly #keeper: ShelfKeeper = {
    use: (entry) => this.#use(entry),
    put: (shelf, kind, key, value, size) =>
      this.#put({ shelf, kind, key, value, bytes: size + entryBytes, turn: ++this.#turn }),
  }

  constructor(limitBytes = 48 * 1024 * 1024) {
    this.#limitBytes = limitBytes
  }

  /** The same for the same name, as long as there is anything on it. */
  shelf(name: string): CacheShelf {
    return this.#shelves.get(name) ?? new Shelf(name, this.#keeper)
  }

  /** Forgets all that is on a shelf. */
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
  /** By kind, those that have anything, and by key. */
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
