import { isByHand } from './world/arrivals.ts'
import type { Arrival } from './world/network.ts'
import type { World } from './world/world.ts'

/** Deliveries that receivers got before a crash and again after it. */
export interface Crash {
  readonly kind: 'kill' | 'power cut'
  /** Deliveries that were sent and had no response yet. */
  readonly inFlight: number
  /** Those of them that were sent again. */
  readonly again: number
  /** Deliveries that had been accepted, and were sent again: the crash has lost the response. */
  readonly accepted: number
}

interface Sent {
  readonly arrival: Arrival
  /** Life of the process. */
  readonly life: number
  /** Time before at which the delivery was sent. */
  readonly before: Sent | undefined
}

/** Notes in which life of the process each delivery was sent. */
export class Duplicates {
  readonly #sent: Sent[] = []
  readonly #last = new Map<string, Sent>()

  note(world: World, arrival: Arrival): void {
    const { webhook, messageId, epoch } = arrival
    // At the start of a process the state is not to be seen yet.
    const deliveries = world.isRunning ? [...world.sandbox.deps.state.deliveries.values()] : []
    const delivery = deliveries.find((one) => one.messageId === messageId)
    if (delivery !== undefined && isByHand(world, delivery.id)) return
    const key = JSON.stringify([webhook, messageId, epoch])
    const sent = { arrival, life: world.scheduler.died, before: this.#last.get(key) }
    this.#sent.push(sent)
    this.#last.set(key, sent)
  }

  /** Returns the crashes of a world that has come to its end. */
  crashes({ crashes }: World): Crash[] {
    return crashes.map(({ kind, life }, index) => {
      const nextLife = crashes[index + 1]?.life ?? Infinity
      // Until the next crash.
      const later = this.#sent.filter((one) => one.life > life && one.life <= nextLife)
      const repeated = later.flatMap(({ before }) =>
        before !== undefined && before.life <= life ? [before.arrival] : [],
      )
      return {
        kind,
        inFlight: this.#sent.filter((one) => one.life === life && !one.arrival.isOver).length,
        again: repeated.filter(({ isOver }) => !isOver).length,
        accepted: repeated.filter(({ isOver, status = 500 }) => isOver && status < 300).length,
      }
    })
  }
}

/** Formats how many deliveries crashes have sent twice, a line for each kind. */
export function formatDuplicates(all: readonly Crash[]): string {
  const lines = (['kill', 'power cut'] as const).map((kind) => {
    const crashes = all.filter((crash) => crash.kind === kind)
    const sum = (name: 'inFlight' | 'again' | 'accepted') =>
      crashes.reduce((total, crash) => total + crash[name], 0)
    const most = crashes.reduce((found, { accepted }) => Math.max(found, accepted), 0)
    const each = (count: number) => (count / Math.max(1, crashes.length)).toFixed(3)
    return `${kind}: ${crashes.length} times, ${each(sum('inFlight'))} deliveries in flight, ${each(sum('again'))} of them sent again; ${each(sum('accepted'))} sent again that were accepted before, at most ${most}`
  })
  return lines.join('\n')
}
