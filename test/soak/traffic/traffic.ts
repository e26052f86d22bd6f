import { type Act, type Client, Unexpected } from './client.ts'
import { controlActs } from './control.ts'
import { hubActs } from './hub.ts'
import { mistakes } from './mistakes.ts'
import { signIns } from './sign-ins.ts'
import { webhookActs } from './webhooks.ts'

export const acts: Readonly<Record<string, Act>> = {
  ...signIns,
  ...hubActs,
  ...webhookActs,
  ...controlActs,
  ...mistakes,
}

/** Frequent actions repeat; expensive ones run once per round. */
const shares: Readonly<Record<string, number>> = {
  wholeSignIn: 12,
  signInWithSecret: 4,
  deviceFlow: 6,
  exchange: 10,
  discovery: 12,
  reads: 4,
  trigger: 10,
  repeatedTrigger: 3,
  webhookLife: 3,
  repoLife: 3,
  registration: 3,
  metadataDocument: 3,
  people: 3,
  faults: 3,
  refused: 4,
  garbage: 3,
}
/** So many are under way at once: some of them wait for a barrier or a slow answer. */
const concurrency = 24

export interface Tally {
  done: number
  failed: number
  /** Why it failed, the last time. */
  failure?: string
}

/** All kinds of requests, again and again. */
export class Traffic {
  readonly #client: Client
  readonly tallies = new Map<string, Tally>()
  #round: [string, Act][] = []
  #isOn = false
  #workers: Promise<void>[] = []

  constructor(client: Client) {
    this.#client = client
    for (const name of Object.keys(acts)) this.tallies.set(name, { done: 0, failed: 0 })
  }

  start(): void {
    this.#isOn = true
    this.#workers = Array.from({ length: concurrency }, () => this.#work())
  }

  /** Returns when the last act has ended. */
  async stop(): Promise<void> {
    this.#isOn = false
    await Promise.all(this.#workers)
    this.#client.hangUp()
  }

  async #work(): Promise<void> {
    while (this.#isOn) {
      const [name, act] = this.#next()
      const tally = this.tallies.get(name)
      if (tally === undefined) throw new TypeError(`nobody counts ${name}`)
      try {
        await act(this.#client)
        tally.done += 1
      } catch (error) {
        // By another's fault rule, clock move or reset; anything else is a mistake in here.
        if (!(error instanceof Unexpected)) throw error
        tally.failed += 1
        tally.failure = error.message
      }
    }
  }

  /** Shuffled rounds: chance alone would leave some out of a short run. */
  #next(): [string, Act] {
    if (this.#round.length === 0) this.#round = this.#newRound()
    const next = this.#round.pop()
    if (next === undefined) throw new TypeError('there are no acts')
    return next
  }

  #newRound(): [string, Act][] {
    return Object.entries(acts)
      .flatMap((entry) => Array.from({ length: shares[entry[0]] ?? 1 }, () => entry))
      .map((entry) => ({ entry, place: this.#client.random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ entry }) => entry)
  }
}
