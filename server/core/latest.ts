// Items are removed from the front in batches: moving the rest for each would cost n².
const compactAfter = 1024

/** Latest items, limited by number and bytes; the oldest are dropped first. */
export class Latest<T> {
  #items: ({ item: T; bytes: number } | undefined)[] = []
  #head = 0
  #bytes = 0
  readonly #limits: { items: number; bytes: number }
  readonly #sizeOf: (item: T) => number

  /** @param sizeOf approximate bytes of an item in memory */
  constructor(limits: { items: number; bytes: number }, sizeOf: (item: T) => number) {
    this.#limits = limits
    this.#sizeOf = sizeOf
  }

  get length(): number {
    return this.#items.length - this.#head
  }

  /** Adds an item, even one that exceeds the limit by itself. */
  push(item: T): void {
    const bytes = this.#sizeOf(item)
    this.#items.push({ item, bytes })
    this.#bytes += bytes
    while (
      this.length > 1 &&
      (this.length > this.#limits.items || this.#bytes > this.#limits.bytes)
    ) {
      this.#dropOldest()
    }
  }

  /** Item at a place counted from the oldest. */
  at(index: number): T | undefined {
    return index < 0 ? undefined : this.#items[this.#head + index]?.item
  }

  clear(): void {
    this.#items = []
    this.#head = 0
    this.#bytes = 0
  }

  #dropOldest(): void {
    this.#bytes -= this.#items[this.#head]?.bytes ?? 0
    this.#items[this.#head++] = undefined
    if (this.#head > compactAfter && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head)
      this.#head = 0
    }
  }
}
