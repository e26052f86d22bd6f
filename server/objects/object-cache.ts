const overhead = 500

/** What was read from objects and found out about them; the least recently used is forgotten first. */
export class ObjectCache {
  readonly #limitBytes: number
  #bytes = 0
  readonly #entries = new Map<string, { value: unknown; bytes: number }>()

  constructor(limitBytes = 48 * 1024 * 1024) {
    this.#limitBytes = limitBytes
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** @param size bytes of memory, about */
  put(key: string, value: unknown, size: number): void {
    this.#remove(key)
    const bytes = size + overhead
    this.#entries.set(key, { value, bytes })
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
