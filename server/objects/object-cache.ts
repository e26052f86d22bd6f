const overhead = 500

interface CacheEntry {
  readonly shelf: Shelf
  readonly key: string
  readonly value: unknown
  readonly bytes: number
  /** How many had been put when it was last moved to the end. */
  turn: number
}

/** One kind of what is remembered of one repo. Keys are mostly ids, which whoever asks has at hand: none is put together. */
export interface CacheShelf {
  get(key: string): unknown
  /** @param size bytes of memory, about */
  put(key: string, value: unknown, size: number): void
}

/**
 * What was read from objects and found out about them; the least recently used is forgotten first. Of those used since
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

  constructor(limitBytes = 48 * 1024 * 1024) {
    this.#limitBytes = limitBytes
  }

  /** The same for the same name, as long as there is anything on it. */
  shelf(name: string): CacheShelf {
    return (
      this.#shelves.get(name) ??
      new Shelf({
        use: (entry) => this.#use(entry),
        put: (shelf, key, value, size) =>
          this.#put({ shelf, key, value, bytes: size + overhead, turn: ++this.#turn }),
        filled: (shelf) => void this.#shelves.set(name, shelf),
        empty: (shelf) => {
          if (this.#shelves.get(name) === shelf) this.#shelves.delete(name)
        },
      })
    )
  }

  #use(entry: CacheEntry): void {
    if (entry.turn === this.#turn) return
    entry.turn = this.#turn
    this.#entries.delete(entry)
    this.#entries.add(entry)
  }

  #put(entry: CacheEntry): void {
    const { shelf, key, bytes } = entry
    this.#remove(shelf.entries.get(key))
    shelf.add(entry)
    this.#entries.add(entry)
    this.#bytes += bytes
    for (const oldest of this.#entries) {
      if (this.#bytes <= this.#limitBytes) return
      this.#remove(oldest)
    }
  }

  #remove(entry: CacheEntry | undefined): void {
    if (entry === undefined) return
    this.#bytes -= entry.bytes
    this.#entries.delete(entry)
    entry.shelf.remove(entry.key)
  }
}

interface ShelfKeeper {
  use(entry: CacheEntry): void
  put(shelf: Shelf, key: string, value: unknown, size: number): void
  /** There is something on it by now. */
  filled(shelf: Shelf): void
  /** There is nothing on it any more. */
  empty(shelf: Shelf): void
}

class Shelf implements CacheShelf {
  readonly entries = new Map<string, CacheEntry>()
  readonly #keeper: ShelfKeeper

  constructor(keeper: ShelfKeeper) {
    this.#keeper = keeper
  }

  get(key: string): unknown {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    this.#keeper.use(entry)
    return entry.value
  }

  put(key: string, value: unknown, size: number): void {
    this.#keeper.put(this, key, value, size)
  }

  add(entry: CacheEntry): void {
    if (this.entries.size === 0) this.#keeper.filled(this)
    this.entries.set(entry.key, entry)
  }

  remove(key: string): void {
    this.entries.delete(key)
    if (this.entries.size === 0) this.#keeper.empty(this)
  }
}
