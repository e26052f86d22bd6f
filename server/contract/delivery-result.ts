import {
  type AttemptOutcome,
  type DeliveryErrorClass,
  type DeliveryResult,
  type ListedDeliveryState,
  openDeliveryStates,
  pausedWord,
  type ShownDeliveryWord,
  suspendedStatus,
  unansweredErrors,
  unreachedErrors,
  type webhookHealthStates,
  type webhookStatuses,
  type WebhookWord,
} from './words/webhook-words.ts'

// Results and sums of deliveries, for every page, list and report.

/** Parts of a delivery that decide its result. */
export interface DecidedDelivery {
  state: ListedDeliveryState
  /** Whether its job was recorded but not run. */
  recorded?: boolean | undefined
  /** Whether one of its attempts has ended, with any outcome. */
  hasEnded: boolean
}

/** Returns the result of a delivery. One that is open after an attempt has failed so far: it will be retried. */
export function resultOfDelivery({ state, recorded, hasEnded }: DecidedDelivery): DeliveryResult {
  if (isOpenState(state)) return hasEnded ? 'failing' : 'pending'
  return state === 'succeeded' && recorded === true ? 'not-run' : state
}

/** Returns the parts of a listed delivery that decide its result. */
export function decidedOfItem({
  state,
  recorded,
  attempts,
}: Pick<DecidedDelivery, 'state' | 'recorded'> & {
  attempts: readonly { outcome?: AttemptOutcome | undefined }[]
}): DecidedDelivery {
  return { state, recorded, hasEnded: attempts.some(({ outcome }) => outcome !== undefined) }
}

function isOpenState(state: ListedDeliveryState): state is (typeof openDeliveryStates)[number] {
  return openDeliveryStates.some((open) => open === state)
}

/** Returns the word that lists show: how far an open delivery is, or its result. */
export function shownWordOf({
  state,
  recorded,
}: Pick<DecidedDelivery, 'state' | 'recorded'>): ShownDeliveryWord {
  switch (state) {
    case 'waiting':
      return 'failing'
    case 'held':
      return pausedWord
    case 'succeeded':
      return recorded === true ? 'not-run' : state
    default:
      return state
  }
}

/** Returns the words by which filters find a delivery. A job that was recorded only has not succeeded. */
export function statusWordsOf(delivery: DecidedDelivery): readonly string[] {
  const { state, recorded } = delivery
  const own = state === 'succeeded' && recorded === true ? [] : [state]
  return [...own, shownWordOf(delivery), resultOfDelivery(delivery)]
}

/** Part of a delivery that is counted. */
export interface CountedDelivery extends DecidedDelivery {
  /** Whether it succeeded at the first attempt. */
  atFirst: boolean
}

/** Numbers of deliveries by result. */
export interface DeliveryCounts {
  /** Sum of the results; skipped deliveries are not part of it. */
  total: number
  /** With an attempt that ended, without recorded jobs. */
  attempted: number
  succeeded: number
  succeededAtFirst: number
  /** Given up. */
  failed: number
  /** Failed so far, and will be retried. */
  failing: number
  /** Open, without an attempt that ended. */
  pending: number
  cancelled: number
  /** Jobs that were recorded only. */
  notRun: number
}

/** Counts deliveries by their result. Skipped ones count nowhere. */
export function countResults(deliveries: Iterable<CountedDelivery>): DeliveryCounts {
  const counts: Record<DeliveryResult, number> = {
    succeeded: 0,
    failing: 0,
    failed: 0,
    pending: 0,
    cancelled: 0,
    'not-run': 0,
    skipped: 0,
  }
  let succeededAtFirst = 0
  let cancelledUntried = 0
  for (const delivery of deliveries) {
    const result = resultOfDelivery(delivery)
    counts[result] += 1
    if (result === 'succeeded' && delivery.atFirst) succeededAtFirst += 1
    if (result === 'cancelled' && !delivery.hasEnded) cancelledUntried += 1
  }
  const { succeeded, failing, failed, pending, cancelled, 'not-run': notRun } = counts
  return {
    total: succeeded + failing + failed + pending + cancelled + notRun,
    attempted: succeeded + failing + failed + cancelled - cancelledUntried,
    succeeded,
    succeededAtFirst,
    failed,
    failing,
    pending,
    cancelled,
    notRun,
  }
}

/** Share of the attempted deliveries; null without any. */
export function shareOf(part: number, { attempted }: Pick<DeliveryCounts, 'attempted'>) {
  return attempted === 0 ? null : part / attempted
}

/** End of an attempt: how long it took, its error, and whether a job ran instead of a request. */
interface TimedAttempt {
  durationMs?: number | undefined
  errorClass?: DeliveryErrorClass | undefined
  isJob?: boolean | undefined
}

/** Returns the response time of an attempt in milliseconds; undefined without a response. */
export function responseTimeOf({
  durationMs,
  errorClass,
  isJob,
}: TimedAttempt): number | undefined {
  if (isJob === true) return undefined
  return errorClass !== undefined && unansweredErrors.has(errorClass) ? undefined : durationMs
}

/** Returns the word for an attempt that ended without a response. */
export function lackOfResponse(errorClass: DeliveryErrorClass | undefined): string {
  return errorClass === undefined || unreachedErrors.has(errorClass) ? 'not reached' : 'no response'
}

/** Returns the word for a webhook. A suspended one sends nothing, so it is not failing. */
export function webhookWordOf(
  status: (typeof webhookStatuses)[number],
  health: (typeof webhookHealthStates)[number],
): WebhookWord {
  if (status === suspendedStatus) return 'suspended'
  return status === 'disabled' ? status : health
}

/** Returns the attempt that lists show: the last one that succeeded or failed, else the last one. */
export function lastDecided<A extends { outcome?: AttemptOutcome | undefined }>(
  attempts: readonly A[],
): A | undefined {
  const isDecided = ({ outcome }: A) => outcome === 'succeeded' || outcome === 'failed'
  return attempts.findLast(isDecided) ?? attempts.at(-1)
}
