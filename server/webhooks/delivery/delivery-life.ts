import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Attempt, Delivery } from '../../state/entities/webhooks.ts'
import {
  type DeliveryState,
  deliveryStates,
  type OpenDeliveryState,
  openDeliveryStates,
} from '../../contract/words/webhooks.ts'
import { type DeliveryTold, factOf, verdictOf } from './delivery-facts.ts'

/** What can happen to a delivery, with what there is to know of each. */
interface Details {
  /** Its webhook is held, or cannot be sent to for now. */
  held: unknown
  /** Its webhook is free again, or there is room. */
  released: unknown
  /** An attempt of its own course is about to be sent. */
  begun: unknown
  /** That attempt ended without a verdict: a stop broke it off, or nobody saw its end. */
  interrupted: unknown
  /** That attempt failed, and another one is planned: a step of the schedule is used up. */
  rescheduled: { nextRetryAt: number }
  /** The planned attempt waits longer, and no step is used up. */
  postponed: { nextRetryAt: number }
  /** The planned attempt may be sent. */
  due: unknown
  /** An attempt of its own course got through. */
  succeeded: { attempt: Attempt }
  /** An attempt of its own course failed, and no other is left. */
  failed: { attempt: Attempt }
  cancelled: { because: string }
  /** Somebody wants it sent although it had ended: its schedule starts again. */
  reopened: unknown
  /** An attempt by hand is about to be sent, beside its own course. */
  replayBegun: unknown
  /** An attempt by hand got through. */
  replaySucceeded: { attempt: Attempt }
}

export type HappeningKind = keyof Details
export type Happening<K extends HappeningKind = HappeningKind> = {
  [Kind in K]: { readonly kind: Kind } & Readonly<Details[Kind]>
}[K]

interface Transition<K extends HappeningKind> {
  readonly from: readonly DeliveryState[]
  readonly to: DeliveryState | 'as it was'
  /** What it sets besides; what belonged to the state that is left goes with it. */
  readonly sets?: (before: Delivery, happening: Happening<K>, at: number) => Partial<Delivery>
  /** The fact that everybody is told. */
  readonly tells?: (after: Delivery, happening: Happening<K>) => DeliveryTold
}

/** The life of a delivery. What is not written here cannot happen. */
const transitions: { readonly [K in HappeningKind]: Transition<K> } = {
  held: { from: ['queued'], to: 'held' },
  released: { from: ['held'], to: 'queued' },
  begun: { from: ['queued'], to: 'sending', sets: oneMoreAttempt },
  interrupted: { from: ['sending'], to: 'queued' },
  rescheduled: {
    from: ['sending'],
    to: 'waiting',
    sets: ({ tries }, { nextRetryAt }) => ({ tries: tries + 1, nextRetryAt }),
    tells: (after, { nextRetryAt }) => ({
      type: 'delivery.waiting',
      data: factOf(after, { attempt: after.attempts, nextRetryAt }),
    }),
  },
  postponed: { from: ['waiting'], to: 'waiting', sets: (_, { nextRetryAt }) => ({ nextRetryAt }) },
  due: { from: ['waiting'], to: 'queued' },
  // Cancelled and taken up again while it was under way, it still need not be sent a second time.
  succeeded: { from: openDeliveryStates, to: 'succeeded', sets: success, tells: toldOfSuccess },
  failed: {
    from: ['sending'],
    to: 'failed',
    sets: (_before, _happening, at) => ({ finishedAt: at }),
    tells: (after, { attempt }) => ({
      type: 'delivery.failed',
      data: factOf(after, { attempt: attempt.number, ...verdictOf(attempt) }),
    }),
  },
  cancelled: {
    from: openDeliveryStates,
    to: 'cancelled',
    sets: (_before, { because }, at) => ({ cancelledBecause: because, finishedAt: at }),
    tells: (after, { because }) => ({
      type: 'delivery.cancelled',
      data: factOf(after, { because }),
    }),
  },
  reopened: {
    from: ['failed', 'cancelled'],
    to: 'queued',
    sets: () => ({ tries: 0 }),
    tells: (after) => ({ type: 'delivery.queued', data: factOf(after) }),
  },
  replayBegun: { from: deliveryStates, to: 'as it was', sets: oneMoreAttempt },
  // While an attempt of its own course is under way, that one decides.
  replaySucceeded: {
    from: ['held', 'queued', 'waiting', 'failed', 'cancelled'],
    to: 'succeeded',
    sets: success,
    tells: toldOfSuccess,
  },
}

/** The states that a delivery can begin in; an edited replay is sent at once. */
export type FirstState = Exclude<OpenDeliveryState, 'waiting'>

/** Members that belong to some states only. */
type OfOneState = 'nextRetryAt' | 'finishedAt' | 'succeededAtFirst' | 'cancelledBecause'

/** A delivery that nothing has happened to yet, with what is to be told of it once it is stored. */
export function beginDelivery(
  about: Omit<Delivery, 'state' | 'attempts' | 'tries' | OfOneState>,
  state: FirstState,
): { delivery: Delivery; told: DeliveryTold } {
  const delivery = { state, attempts: 0, tries: 0, ...about }
  return { delivery, told: { type: 'delivery.queued', data: factOf(delivery) } }
}

/** Whether this can happen to a delivery as it is now. */
export function mayHappen({ state }: Pick<Delivery, 'state'>, kind: HappeningKind): boolean {
  return transitions[kind].from.includes(state)
}

/**
 * A delivery after something has happened to it.
 * @param at milliseconds since 1970 on the sandbox clock
 * @returns a new object, and what is to be told of it once it is stored
 * @throws {TypeError} when this cannot happen to a delivery in its state: a mistake of the program
 */
export function apply<K extends HappeningKind>(
  delivery: Delivery,
  happening: Happening<K>,
  at: number,
): { delivery: Delivery; told?: DeliveryTold | undefined } {
  const { kind } = happening
  if (!mayHappen(delivery, kind)) {
    throw new TypeError(`delivery ${delivery.id} is ${delivery.state}: "${kind}" cannot happen`)
  }
  const { to, sets, tells }: Transition<K> = transitions[kind]
  const changes = sets?.(delivery, happening, at)
  // Begins with a member that stays: see `extend`, which is slower for an object with so many.
  const { id, ...left } = to === 'as it was' ? delivery : leaveState(delivery)
  const state = to === 'as it was' ? delivery.state : to
  const after = { id, ...left, state, ...changes }
  return { delivery: after, told: tells?.(after, happening) }
}

function leaveState(delivery: Delivery): Delivery {
  // A plain copy is several times faster than one with members left out, and most have none to leave out.
  const { nextRetryAt, finishedAt, cancelledBecause } = delivery
  const isPlain = (nextRetryAt ?? finishedAt ?? cancelledBecause) === undefined
  return isPlain ? delivery : withoutStay(delivery)
}

function withoutStay({
  nextRetryAt: _nextRetryAt,
  finishedAt: _finishedAt,
  cancelledBecause: _cancelledBecause,
  ...rest
}: Delivery): Delivery {
  return rest
}

function oneMoreAttempt({ attempts }: Delivery): Partial<Delivery> {
  return { attempts: attempts + 1 }
}

function success(
  _before: Delivery,
  { attempt }: { attempt: Attempt },
  at: number,
): Partial<Delivery> {
  return attempt.number === 1 ? { succeededAtFirst: true, finishedAt: at } : { finishedAt: at }
}

function toldOfSuccess(after: Delivery, { attempt }: { attempt: Attempt }): DeliveryTold {
  const { number, durationMs = 0, status } = attempt
  return {
    type: 'delivery.succeeded',
    data: factOf(after, { attempt: number, durationMs, ...omitUndefined({ status }) }),
  }
}
