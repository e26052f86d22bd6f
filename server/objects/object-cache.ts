const overhead = 500

interface CacheEntry {
  value: unknown
  bytes: number
  /** How many had been put when it was last moved to the end. */
  turn: number
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
  readonly #entries = new Map<string, CacheEntry>()

  constructor(limitBytes = 48 * 1024 * 1024) {
    this.#limitBytes = limitBytes
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry.turn !== this.#turn) {
      entry.turn = this.#turn
      this.#entries.delete(key)
      this.#entries.set(key, entry)
    }
    return entry.value
  }

  /** @param size bytes of memory, about */
  put(key: string, value: unknown, size: number): void {
    this.#remove(key)
    const bytes = size + overhead
    this.#turn += 1
    this.#entries.set(key, { value, bytes, turn: this.#turn })
    this.#bytes += bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#limitBytes) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}
