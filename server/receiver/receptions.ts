/** One request that reached an endpoint, or was refused before it did. */
export interface Reception {
  /** ISO 8601 */
  at: string
  endpoint: string
  status: number
  durationMs: number
  scope?: string
  action?: string
  /** namespace/name; never shown on the landing page, which anybody may open */
  repo?: string
  /** Handled before, so not handed to the handler again. */
  duplicate?: true
  /** Reason for the refusal. */
  error?: string
}

/** The newest receptions, oldest first. */
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
