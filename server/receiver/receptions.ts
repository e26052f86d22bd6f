/** One request that reached an endpoint, or was refused before it did. */
export interface Reception {
  /** ISO 8601 */
  at: string
  endpoint: string
  status: number
  durationMs: number
  scope?: string
  action?: string
  /** namespace/name; never shown on the landing page, which is public */
  repo?: string
  /** Whether the delivery was handled before and did not run again. */
  duplicate?: true
  /** Reason for the refusal. */
  error?: string
}

/** Newest receptions, oldest first. */
export class Receptions {
  readonly #entries: Reception[] = []
  readonly #max: number

  constructor(max: number) {
    this.#max = max
  }

  add(reception: Reception): void {
    this.#entries.push(reception)
    if (this.#entries.length > this.#max) this.#entries.shift()
  }

  list(): readonly Reception[] {
    return [...this.#entries]
  }
}
