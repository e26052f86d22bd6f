import { WeakValues } from './weak-values.ts'

/** Stores of deleted repos that may still be in use. */
interface ReleasedStore {
  /** Estimated bytes of memory. */
  readonly memory: number
}

/**
 * Stores of deleted repos that a caller may be reading, as a list of repos does. The most recent ones stay for a while; the
 * others stay as long as a caller holds them.
 */
export class ReleasedStores<Store extends ReleasedStore & object> {
  readonly #limitBytes: number
  #bytes = 0
  /** The most recent ones, the oldest first. */
  readonly #last = new Map<string, { readonly store: Store; readonly bytes: number }>()
  readonly #held = new WeakValues<Store>()

  /** @param limitBytes of the most recent ones; the last one always stays */
  constructor(limitBytes = 16 * 1024 * 1024) {
    this.#limitBytes = limitBytes
  }

  get(repoId: string): Store | undefined {
    return this.#held.get(repoId)
  }

  add(repoId: string, store: Store): void {
    this.#drop(repoId)
    this.#held.set(repoId, store)
    const bytes = store.memory
    this.#last.set(repoId, { store, bytes })
    this.#bytes += bytes
    for (const oldest of this.#last.keys()) {
      if (this.#bytes <= this.#limitBytes || oldest === repoId) return
      this.#drop(oldest)
    }
  }

  #drop(repoId: string): void {
    this.#bytes -= this.#last.get(repoId)?.bytes ?? 0
    this.#last.delete(repoId)
  }
}
