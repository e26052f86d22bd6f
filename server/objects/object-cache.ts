import type { CommitObject } from './commit-codec.ts'
import type { TreeEntry } from './tree-codec.ts'

export type Parsed = readonly TreeEntry[] | CommitObject

/** A parsed object takes about so many times the memory of its bytes. */
const parsedFactor = 5
const overhead = 500

/** Parsed folders and commits, the least recently used of which are forgotten first. */
export class ObjectCache {
  readonly #limitBytes: number
  #bytes = 0
  readonly #entries = new Map<string, { parsed: Parsed; bytes: number }>()

  constructor(limitBytes = 48 * 1024 * 1024) {
    this.#limitBytes = limitBytes
  }

  get(key: string): Parsed | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.parsed
  }

  /** @param size of its bytes */
  put(key: string, parsed: Parsed, size: number): void {
    this.#remove(key)
    const bytes = size * parsedFactor + overhead
    this.#entries.set(key, { parsed, bytes })
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
