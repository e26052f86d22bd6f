import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { Attempt, Delivery } from '../../../store/entities/webhook-entities.ts'
import {
  type DeliveryState,
  deliveryStates,
  type OpenDeliveryState,
  openDeliveryStates,
} from '../../../contract/words/webhook-words.ts'
import { type DeliveryEvent, factOf, verdictOf } from './delivery-facts.ts'

/** Everything that can happen to a delivery, with the details of each. */
interface Details {
  /** Its webhook is held or paused. */
  held: unknown
  /** Its webhook was released, or the backlog has room again. */
  released: unknown
  /** An automatic attempt is about to be sent. */
  begun: unknown
  /** The automatic attempt ended without an outcome, because the sandbox stopped. */
  interrupted: unknown
  /** The automatic attempt failed, and a retry is planned: uses up one step of the schedule. */
  rescheduled: { nextRetryAt: number }
  /** The planned retry waits longer, without using up a step. */
  postponed: { nextRetryAt: number }
  /** The planned retry may be sent. */
  due: unknown
  /** The automatic attempt succeeded. */
  succeeded: { attempt: Attempt }
  /** The automatic attempt failed, and no retry is left. */
  failed: { attempt: Attempt }
  cancelled: { because: string }
  /** A user recovers a finished delivery: its schedule starts again. */
  reopened: unknown
  /** A replay is about to be sent, beside the automatic attempts. */
  replayBegun: unknown
  /** A replay succeeded. */
  replaySucceeded: { attempt: Attempt }
}

export type HappeningKind = keyof Details
export type Happening<K extends HappeningKind = HappeningKind> = {
  [Kind in K]: { readonly kind: Kind } & Readonly<Details[Kind]>
}[K]

interface Transition<K extends HappeningKind> {
  readonly from: readonly DeliveryState[]
  readonly to: DeliveryState | 'as it was'
  /** Members it sets besides the state. Members of the previous state are removed. */
  readonly sets?: (before: Delivery, happening: Happening<K>, at: number) => Partial<Delivery>
  /** Event to emit. */
  readonly emits?: (after: Delivery, happening: Happening<K>) => DeliveryEvent
}

/** State machine of a delivery. A transition that is not listed is an error. */
const transitions: { readonly [K in HappeningKind]: Transition<K> } = {
  held: { from: ['queued'], to: 'held' },
  released: { from: ['held'], to: 'queued' },
  begun: { from: ['queued'], to: 'sending', sets: oneMoreAttempt },
  interrupted: { from: ['sending'], to: 'queued' },
  rescheduled: {
    from: ['sending'],
    to: 'waiting',
    sets: ({ tries }, { nextRetryAt }) => ({ tries: tries + 1, nextRetryAt }),
    emits: (after, { nextRetryAt }) => ({
      type: 'delivery.waiting',
      data: factOf(after, { attempt: after.attempts, nextRetryAt }),
    }),
  },
  postponed: { from: ['waiting'], to: 'waiting', sets: (_, { nextRetryAt }) => ({ nextRetryAt }) },
  due: { from: ['waiting'], to: 'queued' },
  // Also from `queued` and `waiting`: it may have been cancelled and recovered during the attempt.
  succeeded: { from: openDeliveryStates, to: 'succeeded', sets: success, emits: successEvent },
  failed: {
    from: ['sending'],
    to: 'failed',
    sets: (_before, _happening, at) => ({ finishedAt: at }),
    emits: (after, { attempt }) => ({
      type: 'delivery.failed',
      data: factOf(after, { attempt: attempt.number, ...verdictOf(attempt) }),
    }),
  },
  cancelled: {
    from: openDeliveryStates,
    to: 'cancelled',
    sets: (_before, { because }, at) => ({ cancelledBecause: because, finishedAt: at }),
    emits: (after, { because }) => ({
      type: 'delivery.cancelled',
      data: factOf(after, { because }),
    }),
  },
  reopened: {
    from: ['failed', 'cancelled'],
    to: 'queued',
    sets: () => ({ tries: 0 }),
    emits: (after) => ({ type: 'delivery.queued', data: factOf(after) }),
  },
  replayBegun: { from: deliveryStates, to: 'as it was', sets: oneMoreAttempt },
  // Also from `sending`: the receiver has what the automatic attempt in flight brings, so a failure of that is not retried.
  replaySucceeded: {
    from: ['held', 'queued', 'sending', 'waiting', 'failed', 'cancelled'],
    to: 'succeeded',
    sets: success,
    emits: successEvent,
  },
}

/** States in which a delivery can begin; edited replays and duplicates begin in `sending`. */
export type FirstState = Exclude<OpenDeliveryState, 'waiting'>

/** Members that only some states have. */
type OfOneState =
  | 'nextRetryAt'
  | 'finishedAt'
  | 'succeededAtFirst'
  | 'recorded'
  | 'cancelledBecause'
  | 'heldBecause'

/** Returns a new delivery, and the event to emit once it is stored. */
export function beginDelivery(
  about: Omit<Delivery, 'state' | 'attempts' | 'tries' | Exclude<OfOneState, 'heldBecause'>>,
  state: FirstState,
): { delivery: Delivery; event: DeliveryEvent } {
  const delivery = { state, attempts: 0, tries: 0, ...about }
  return { delivery, event: { type: 'delivery.queued', data: factOf(delivery) } }
}

/** Returns whether this can happen to a delivery in its present state. */
export function mayHappen({ state }: Pick<Delivery, 'state'>, kind: HappeningKind): boolean {
  return transitions[kind].from.includes(state)
}

/**
 * Applies something that happened to a delivery.
 * @param at milliseconds since 1970 on the sandbox clock
 * @returns a new object, and the event to emit once it is stored
 * @throws {TypeError} when this cannot happen in the present state: a programming error
 */
export function apply<K extends HappeningKind>(
  delivery: Delivery,
  happening: Happening<K>,
  at: number,
): { delivery: Delivery; event?: DeliveryEvent | undefined } {
  const { kind } = happening
  if (!mayHappen(delivery, kind)) {
    throw new TypeError(`delivery ${delivery.id} is ${delivery.state}: "${kind}" cannot happen`)
  }
  const { to, sets, emits }: Transition<K> = transitions[kind]
  const changes = sets?.(delivery, happening, at)
  // Begins with a member that is never removed: see `extend`, which is slower for this many members.
  const { id, ...left } = to === 'as it was' ? delivery : leaveState(delivery)
  const state = to === 'as it was' ? delivery.state : to
  const after = { id, ...left, state, ...changes }
  return { delivery: after, event: emits?.(after, happening) }
}

function leaveState(delivery: Delivery): Delivery {
  // A plain copy is several times faster than one without some members, and most deliveries have none of them.
  const { nextRetryAt, finishedAt, cancelledBecause, heldBecause } = delivery
  const isPlain = (nextRetryAt ?? finishedAt ?? cancelledBecause ?? heldBecause) === undefined
  return isPlain ? delivery : withoutStay(delivery)
}

function withoutStay({
  nextRetryAt: _nextRetryAt,
  finishedAt: _finishedAt,
  cancelledBecause: _cancelledBecause,
  heldBecause: _heldBecause,
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
  // A job that ran has an exit code.
  if (attempt.jobId !== undefined && attempt.status === undefined) {
    return { recorded: true, finishedAt: at }
  }
  return attempt.number === 1 ? { succeededAtFirst: true, finishedAt: at } : { finishedAt: at }
}

function successEvent(after: Delivery, { attempt }: { attempt: Attempt }): DeliveryEvent {
  const { number, durationMs = 0, status } = attempt
  return {
    type: 'delivery.succeeded',
    data: factOf(after, { attempt: number, durationMs, ...omitUndefined({ status }) }),
  }
}
