import { createRandom } from '../../../core/random.ts'
import { AuditProblem } from '../runs.ts'

/** One delivery of a storm, or a restart of the receiver. */
export type StormStep = {
  /** Name in the order that the seed gives: a number, for restarts with an `r` before it. */
  readonly name: string
} & (
  | {
      /** Index of the event. */
      readonly event: number
      readonly delayMs: number
      /** `cut`: the connection is closed before the response, and a retry follows. */
      readonly how: 'plain' | 'slow' | 'cut'
    }
  | { readonly how: 'restart' }
)

const mostTold = 12

/** Seed with the names of some steps. */
const partOfOrder = /^(.*):((?:r?\d+\.)*r?\d+)$/s

const slowShare = 0.05
const cutShare = 0.1
const duplicateShare = 0.2
const longestDelayMs = 10
/** Restarts for each event; at least one. */
const restartShare = 0.03

/**
 * Plans the order of a storm. The same seed gives the same order.
 * @param seed text; a seed of {@link seedOf} gives some steps of an order
 * @param events number of events, each of which is sent whole at least once
 * @param restarts whether the receiver is restarted, which leaves the order of the deliveries as it is
 * @throws {AuditProblem} when the seed names steps that the order does not have
 */
export function planStorm(seed: string, events: number, restarts = false): StormStep[] {
  const [, base = seed, names] = partOfOrder.exec(seed) ?? []
  const all = planWhole(base, events, restarts)
  if (names === undefined) return all
  return names.split('.').map((name) => {
    const step = all.find((one) => one.name === name)
    if (step !== undefined) return step
    const cause = name.startsWith('r') && !restarts ? 'restart' : 'number of events'
    throw new AuditProblem(
      `The seed ${seed} names the step ${name}, which its order does not have. Use the same ${cause} as in the storm that named the seed.`,
    )
  })
}

/** Returns the seed that gives only these steps of the order of a seed. */
export function seedOf(seed: string, steps: readonly StormStep[]): string {
  const base = partOfOrder.exec(seed)?.[1] ?? seed
  return `${base}:${steps.map(({ name }) => name).join('.')}`
}

/** Describes steps, such as `event 3 (cut), restart, event 3`; of many, only the first ones. */
export function describeSteps(steps: readonly StormStep[]): string {
  const texts = steps.slice(0, mostTold).map((step) => {
    if (step.how === 'restart') return 'restart'
    return `event ${step.event + 1}${step.how === 'plain' ? '' : ` (${step.how})`}`
  })
  const left = steps.length - texts.length
  return `${texts.join(', ')}${left > 0 ? ` and ${left} more` : ''}`
}

function planWhole(seed: string, events: number, restarts: boolean): StormStep[] {
  const random = createRandom(seed)
  const sent: Omit<Extract<StormStep, { event: number }>, 'name'>[] = []
  for (let event = 0; event < events; event++) {
    const delayMs = random.int(longestDelayMs)
    sent.push({ event, delayMs, how: random.chance(slowShare) ? 'slow' : 'plain' })
    if (random.chance(cutShare)) sent.push({ event, delayMs: 0, how: 'cut' })
    if (random.chance(duplicateShare)) sent.push({ event, delayMs: 0, how: 'plain' })
  }
  // Fisher-Yates
  for (let last = sent.length - 1; last > 0; last--) {
    const other = random.int(last + 1)
    const [a, b] = [sent[last], sent[other]]
    if (a !== undefined && b !== undefined) [sent[last], sent[other]] = [b, a]
  }
  const steps = sent.map((step, index): StormStep => ({ name: String(index + 1), ...step }))
  const count = restarts ? Math.max(1, Math.round(events * restartShare)) : 0
  for (let number = 1; number <= count; number++) {
    steps.splice(random.int(steps.length), 0, { name: `r${number}`, how: 'restart' })
  }
  return steps
}
