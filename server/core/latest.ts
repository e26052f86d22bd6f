import { Queue } from './queue.ts'

/** Latest items, limited by number and bytes; the oldest are dropped first. */
export class Latest<T> {
  readonly #items = new Queue<T>()
  /** Bytes of each item, apart from it: an object for both would live as long, and cost a collection of garbage. */
  readonly #sizes = new Queue<number>()
  #bytes = 0
  #dropped = 0
  readonly #limits: { items: number; bytes: number }
  readonly #sizeOf: (item: T) => number

  /** @param sizeOf approximate bytes of an item in memory */
  constructor(limits: { items: number; bytes: number }, sizeOf: (item: T) => number) {
    this.#limits = limits
    this.#sizeOf = sizeOf
  }

  get length(): number {
    return this.#items.length
  }

  /** Number of items that were dropped since the start or {@link clear}. */
  get dropped(): number {
    return this.#dropped
  }

  /** Adds an item, even one that exceeds the limit by itself. */
  push(item: T): void {
    const bytes = this.#sizeOf(item)
    this.#items.push(item)
    this.#sizes.push(bytes)
    this.#bytes += bytes
    while (
      this.length > 1 &&
      (this.length > this.#limits.items || this.#bytes > this.#limits.bytes)
    ) {
      this.#items.shift()
      this.#dropped += 1
      this.#bytes -= this.#sizes.shift() ?? 0
    }
  }

  /** Item at a place counted from the oldest. */
  at(index: number): T | undefined {
    return this.#items.at(index)
  }

  clear(): void {
    this.#items.clear()
    this.#sizes.clear()
    this.#bytes = 0
    this.#dropped = 0
  }
}
