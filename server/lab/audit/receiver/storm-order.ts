import { createHash } from 'node:crypto'

/** One delivery of a storm, or a restart of the receiver. */
export type StormStep =
  | {
      /** Index of the event. */
      readonly event: number
      readonly delayMs: number
      /** `cut`: the connection is closed before the response, and a retry follows. */
      readonly how: 'plain' | 'slow' | 'cut'
    }
  | { readonly how: 'restart' }

const slowShare = 0.05
const cutShare = 0.1
const duplicateShare = 0.2
const longestDelayMs = 10
/** Restarts for each event; at least one. */
const restartShare = 0.03

/**
 * Plans the order of a storm. The same seed gives the same order.
 * @param events number of events, each of which is sent whole at least once
 * @param restarts whether the receiver is restarted, which leaves the order of the deliveries as it is
 */
export function planStorm(seed: string, events: number, restarts = false): StormStep[] {
  const random = randomOf(seed)
  const steps: StormStep[] = []
  for (let event = 0; event < events; event++) {
    const delayMs = Math.floor(random() * longestDelayMs)
    steps.push({ event, delayMs, how: random() < slowShare ? 'slow' : 'plain' })
    if (random() < cutShare) steps.push({ event, delayMs: 0, how: 'cut' })
    if (random() < duplicateShare) steps.push({ event, delayMs: 0, how: 'plain' })
  }
  // Fisher-Yates
  for (let last = steps.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1))
    const [a, b] = [steps[last], steps[other]]
    if (a !== undefined && b !== undefined) [steps[last], steps[other]] = [b, a]
  }
  const count = restarts ? Math.max(1, Math.round(events * restartShare)) : 0
  for (let restart = 0; restart < count; restart++) {
    steps.splice(Math.floor(random() * steps.length), 0, { how: 'restart' })
  }
  return steps
}

/** Numbers in [0, 1) that follow from a seed. */
function randomOf(seed: string): () => number {
  let count = 0
  return () => {
    const hash = createHash('sha256').update(`${seed} ${count++}`).digest()
    return hash.readUInt32BE(0) / 0x1_0000_0000
  }
}
