/** Map with weakly held values: an entry is removed when its value is no longer referenced elsewhere. */
export class WeakValues<Value extends object> {
  readonly #references = new Map<string, WeakRef<Value>>()
  readonly #gone = new FinalizationRegistry<string>((key) => {
    // Another value may have replaced it.
    if (this.get(key) === undefined) this.#references.delete(key)
  })

  get size(): number {
    return this.#references.size
  }

  get(key: string): Value | undefined {
    return this.#references.get(key)?.deref()
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  set(key: string, value: Value): void {
    this.#references.set(key, new WeakRef(value))
    this.#gone.register(value, key)
  }
}
