// Items are removed from the front in batches: moving the rest for each would cost n².
const compactAfter = 1024

/**
 * List to which items are added at the end and from which they are removed at the front. A `Map` would pass over all
 * deleted entries to reach its first one.
 */
export class Queue<T> {
  #items: (T | undefined)[] = []
  #head = 0

  get length(): number {
    return this.#items.length - this.#head
  }

  push(item: T): void {
    this.#items.push(item)
  }

  /** Removes the oldest item. */
  shift(): T | undefined {
    if (this.length === 0) return undefined
    const item = this.#items[this.#head]
    this.#items[this.#head++] = undefined
    if (this.#head > compactAfter && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
    return item
  }

  /** Item at a place counted from the oldest. */
  at(index: number): T | undefined {
    return index < 0 ? undefined : this.#items[this.#head + index]
  }

  clear(): void {
    this.#items = []
    this.#head = 0
  }
}
