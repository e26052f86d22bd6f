import type { StartAuditRequest } from '../../../contract/control-audits.ts'
import { shrink } from '../../../core/shrink.ts'
import { webhookGuide } from '../../checks/rule.ts'
import type { AuditControl } from '../runs.ts'
import {
  describeReaction,
  isSuccess,
  type ReceiverJudgement,
  receiverModule,
  type ReceiverModule,
  type Sighting,
  verdictOnReceiver,
} from './receiver-module.ts'
import type { MakePayload } from './payloads.ts'
import type { Payload, Receiver } from './audited-receiver.ts'
import { describeSteps, planStorm, seedOf, type StormStep } from './storm-order.ts'
import { failed, inconclusive, notApplicable, notReached, passed } from '../judgement.ts'

const about = {
  plan: 'full' as const,
  level: 'error' as const,
  sends:
    'the same events in several orders, with duplicates, delays, retries, slow bodies and restarts of the receiver',
  sources: [webhookGuide],
  provoke: async (): Promise<ReceiverJudgement> => notReached(''),
}

/** Verdicts of the storm. It is a drill of its own, in no plan. */
export const stormModules: readonly ReceiverModule[] = [
  receiverModule({
    ...about,
    id: 'storm/accepted',
    title: 'The receiver refuses deliveries of a storm.',
    expected: 'The receiver accepts each delivery, at the third retry at the latest.',
    fix: 'Respond with 2xx to deliveries that you know and to older ones, and queue their work.',
  }),
  receiverModule({
    ...about,
    id: 'storm/once',
    title: 'The receiver handles events twice, or loses some.',
    expected: 'The receiver does as much work as for the same events one after the other.',
    needs: 'effects',
    fix: 'Remember the Webhook-Id of each delivery before you do its work: dedupe: memoryStore() of hub-sandbox/receiver does this.',
  }),
  receiverModule({
    ...about,
    id: 'storm/order',
    title: 'The result depends on the order in which events arrive.',
    expected: 'The receiver ends with the same result as for the same events one after the other.',
    needs: 'effects',
    fix: 'Read the present state from the Hub when an event arrives, or ignore an event that is older than what you have.',
  }),
].map((module) => ({ ...module, plans: [] }))

export interface StormOptions {
  readonly receiver: Receiver
  /** Reads the effects once they no longer change; absent if none are known. */
  readonly settled?: (() => Promise<string>) | undefined
  /** Restarts the receiver, and resolves when it receives again; absent if nothing can. */
  readonly restart?: (() => Promise<unknown>) | undefined
  readonly storm: NonNullable<StartAuditRequest['storm']>
  readonly makePayload: MakePayload
  readonly event: string
  readonly newSeed: () => string
  readonly control: AuditControl
  readonly stopwatch: () => number
  readonly secret?: string | undefined
}

const usualOrders = 5
const usualEvents = 100
const mostTries = 4
const atOnce = 4
/** Payloads of a storm have numbers of their own. */
const firstNumber = 1_000_000
/** Limits of the search for the fewest steps. */
const mostPlays = 120
const longestSearchMs = 20_000

/** What a round of the storm showed. */
interface Round {
  readonly seed: string
  /** Number of events. */
  readonly events: number
  /** Deliveries that were not accepted. */
  readonly refused: readonly Sighting[]
  /** Effects before and after. */
  readonly before?: string | undefined
  readonly after?: string | undefined
}

/** Order of a round. */
interface Order {
  readonly seed: string
  readonly steps: readonly StormStep[]
}

/**
 * Sends a round; each one has events of its own.
 * @param after round that has just ended, whose effects are not read again
 */
type SendRound = (order: Order, lanes: number, after?: Round) => Promise<Round>

/** @param rounds the same events in other orders than the first and the second round, which have them in order */
type Judge = (first: Round, second: Round, rounds: readonly Round[]) => ReceiverJudgement

/**
 * Sends the same events in several orders, each given by a seed, and judges the effects. An order that fails is shrunk to
 * the fewest steps that do.
 */
export async function runStorm(options: StormOptions): Promise<void> {
  const { storm, control, stopwatch, newSeed, secret, restart } = options
  const { events = usualEvents, seed } = storm
  const count = storm.orders ?? (seed === undefined ? usualOrders : 1)
  const began = stopwatch()
  const [accepted, once, order] = stormModules
  if (accepted === undefined || once === undefined || order === undefined) return
  control.begin(accepted)
  const base = seed ?? newSeed()
  const orders = Array.from({ length: count }, (_, index): Order => {
    const own = count === 1 ? base : `${base}-${index + 1}`
    return { seed: own, steps: planStorm(own, events, restart !== undefined) }
  })
  const send = createRounds(options, events)
  const plain = inOrder(orders[0]?.steps ?? [])
  const first = await send(plain, 1)
  const second = await send(plain, 1)
  const rounds: Round[] = []
  for (const one of orders) if (!control.signal.aborted) rounds.push(await send(one, atOnce))
  const judges = [
    [accepted, judgeAccepted],
    [once, judgeOnce],
    [order, judgeOrder],
  ] as const
  for (const [module, judge] of judges) {
    if (control.signal.aborted) return
    const judgement = judge(first, second, rounds)
    const isBad = (index: number) => isFailed(judge(first, second, rounds.slice(index, index + 1)))
    // The order does not matter if the events in order are refused already.
    const isOfOrder = !isFailed(judge(first, second, []))
    const bad = isOfOrder ? orders.find((_, index) => isBad(index)) : undefined
    const shrunk = bad && (await shrinkOrder(options, send, bad, judge))
    const found = `${judgement.observed}${shrunk ?? ''}`
    const tookMs = stopwatch() - began
    control.add(verdictOnReceiver(module, { ...judgement, observed: found }, tookMs, secret))
  }
}

const isFailed = ({ outcome }: ReceiverJudgement) => outcome === 'failed'

const eventsOf = (steps: readonly StormStep[]) =>
  new Set(steps.flatMap((step) => (step.how === 'restart' ? [] : [step.event])))

/** The events of some steps one after the other, as a quiet hub would send them. */
function inOrder(steps: readonly StormStep[]): Order {
  const inTurn = [...eventsOf(steps)].toSorted((a, b) => a - b)
  return {
    seed: 'in order',
    steps: inTurn.map((event) => ({ name: String(event), event, delayMs: 0, how: 'plain' })),
  }
}

/**
 * Finds the fewest steps of an order with which the receiver still fails.
 * @returns sentences about them; `undefined` if all are needed
 */
async function shrinkOrder(
  { control, stopwatch }: StormOptions,
  send: SendRound,
  { seed, steps }: Order,
  judge: Judge,
): Promise<string | undefined> {
  const began = stopwatch()
  const isFailing = async (some: readonly StormStep[]) => {
    const isOver = control.signal.aborted || stopwatch() - began > longestSearchMs
    if (isOver || !hasRetries(some)) return false
    const reference = await send(inOrder(some), 1)
    const round = await send({ seed, steps: some }, atOnce, reference)
    return isFailed(judge(reference, reference, [round]))
  }
  const { steps: fewest } = await shrink(steps, isFailing, mostPlays)
  if (fewest.length === steps.length || control.signal.aborted) return undefined
  const own = seedOf(seed, fewest)
  return ` Of its ${steps.length} steps, ${fewest.length} suffice: ${describeSteps(fewest)}. Replay these with the seed ${own}.`
}

/** Returns true if each cut delivery is also sent whole, as the Hub retries it. */
function hasRetries(steps: readonly StormStep[]): boolean {
  const whole = new Set(
    steps.flatMap((step) => (step.how === 'plain' || step.how === 'slow' ? [step.event] : [])),
  )
  return steps.every((step) => step.how !== 'cut' || whole.has(step.event))
}

function createRounds(options: StormOptions, events: number): SendRound {
  const { receiver, settled, control, restart } = options
  let round = 0
  return async ({ seed, steps }, lanes, last) => {
    const before = last === undefined ? await settled?.() : last.after
    const payloads = payloadsOf(options, before, events, round++)
    const ids = Array.from({ length: events }, () => receiver.messageId())
    const refused: Sighting[] = []
    const restarts = restart && createRestarts(restart)
    let next = 0
    async function lane(): Promise<void> {
      for (let step = steps[next++]; step !== undefined; step = steps[next++]) {
        if (control.signal.aborted) return
        if (step.how === 'restart') await restarts?.restart()
        else {
          const delivery = { payload: payloads[step.event], messageId: ids[step.event] }
          const sighting = await sendStep({ receiver, restarts }, step, delivery)
          if (sighting !== undefined) refused.push(sighting)
        }
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return { seed, events: eventsOf(steps).size, refused, before, after: await settled?.() }
  }
}

/** A number counts, so that each round needs events of its own. A text has to be the same for the same events. */
function payloadsOf(
  { makePayload, event }: StormOptions,
  before: string | undefined,
  events: number,
  round: number,
): Payload[] {
  const start = firstNumber + (isNumber(before) ? round * events : 0)
  return Array.from({ length: events }, (_, index) => makePayload(event, start + index))
}

const isNumber = (text: string | undefined) =>
  text !== undefined && text !== '' && !Number.isNaN(Number(text))

/** Restarts of a receiver, one at a time. */
interface Restarts {
  restart(): Promise<void>
  /** Number of restarts that have begun. */
  readonly count: number
  /** Resolves when the receiver receives again. */
  readonly ended: Promise<void> | undefined
}

function createRestarts(act: () => Promise<unknown>): Restarts {
  let count = 0
  let running: Promise<void> | undefined
  return {
    async restart() {
      count += 1
      running ??= act().then(() => {
        running = undefined
      })
      await running
    },
    get count() {
      return count
    },
    get ended() {
      return running
    },
  }
}

/** @returns the last reaction, if the delivery was not accepted */
async function sendStep(
  { receiver, restarts }: { receiver: Receiver; restarts: Restarts | undefined },
  { event, delayMs, how }: Exclude<StormStep, { how: 'restart' }>,
  { payload, messageId }: { payload: Payload | undefined; messageId: string | undefined },
): Promise<Sighting | undefined> {
  if (payload === undefined || messageId === undefined) return undefined
  if (delayMs > 0) await receiver.wait(delayMs)
  const delivery = { payload, messageId }
  // A retry of it comes later.
  if (how === 'cut') return void (await receiver.send({ ...delivery, abortAfterMs: 20 }))
  const pace = { kind: 'slow', overMs: 200 } as const
  let restartsBefore = restarts?.count
  let reaction = await receiver.send(how === 'slow' ? { ...delivery, pace } : delivery)
  for (let tries = 1; tries < mostTries && !isSuccess(reaction);) {
    const isInterrupted = restarts?.ended !== undefined || restarts?.count !== restartsBefore
    // What a restart has interrupted is sent again after it, as by a later retry.
    await (restarts?.ended ?? receiver.wait(50 * tries))
    if (!isInterrupted) tries += 1
    restartsBefore = restarts?.count
    reaction = await receiver.send(delivery)
  }
  return isSuccess(reaction) ? undefined : { what: `event ${event + 1}`, reaction }
}

function judgeAccepted(first: Round, second: Round, others: readonly Round[]): ReceiverJudgement {
  const rounds = [first, second, ...others]
  const bad = rounds.find(({ refused }) => refused.length > 0)
  if (bad === undefined) {
    return passed(
      `The receiver accepted all deliveries of ${rounds.length} rounds of ${first.events} events.`,
    )
  }
  const [refused] = bad.refused
  const reaction =
    refused === undefined ? '' : `: it ${describeReaction(refused.reaction)} to ${refused.what}`
  return failed(
    `The receiver refused ${bad.refused.length} deliveries${reaction}. ${replayOf(bad)}`,
    bad.refused,
  )
}

const noEffects: ReceiverJudgement = inconclusive(
  'No effects are known: pass a URL or a function that returns a number or a text.',
)

function judgeOnce(first: Round, second: Round, rounds: readonly Round[]): ReceiverJudgement {
  const expected = workOf(first)
  if (expected === undefined) {
    return isKnown(first) ? notApplicable('The effects are a text: see storm/order.') : noEffects
  }
  if (expected === 0)
    return {
      ...noEffects,
      observed: 'The effects did not change while the events were sent in order.',
    }
  if (workOf(second) !== expected) {
    return inconclusive(
      `The same events in order had different effects: ${expected} and ${workOf(second)}.`,
    )
  }
  const bad = rounds.find((round) => workOf(round) !== expected)
  if (bad === undefined)
    return passed(`Each order had the same effects as the events in order: ${expected}.`)
  const work = workOf(bad) ?? 0
  const what =
    work > expected
      ? `handled events twice: the effects are ${work}`
      : `lost events: the effects are ${work}`
  return failed(`The receiver ${what} instead of ${expected}. ${replayOf(bad)}`)
}

function judgeOrder(first: Round, second: Round, rounds: readonly Round[]): ReceiverJudgement {
  if (!isKnown(first)) return noEffects
  if (isNumber(first.after)) {
    return notApplicable('The effects are a number, which shows no order: use a text.')
  }
  if (first.after !== second.after) {
    return inconclusive(
      'The same events in order had different effects. The text has to describe the result, without times and counts.',
    )
  }
  const bad = rounds.find(({ after }) => after !== first.after)
  if (bad === undefined) return passed('Each order had the same result as the events in order.')
  return failed(`The receiver handled events out of order: the result differs. ${replayOf(bad)}`)
}

const isKnown = ({ after }: Round) => after !== undefined

function workOf({ before, after }: Round): number | undefined {
  return isNumber(before) && isNumber(after) ? Number(after) - Number(before) : undefined
}

function replayOf({ seed }: Round): string {
  return seed === 'in order'
    ? 'The events were sent in order.'
    : `Replay this order with the seed ${seed}.`
}
