import type { Attempt, Delivery } from '../../../store/entities/webhook-entities.ts'
import {
  type DecidedDelivery,
  resultOfDelivery,
  responseTimeOf,
} from '../../../contract/delivery-result.ts'
import type { DeliveryErrorClass, DeliveryResult } from '../../../contract/words/webhook-words.ts'
import { decidedOf } from './statistics.ts'

// Data for the charts of a webhook, limited in size for any number of deliveries.

/** Numbers of successes and failures. */
export interface Verdicts {
  succeeded: number
  failed: number
}

/** Attempts that took at least `fromMs` and less than `toMs`. */
export interface LatencyBucket extends Verdicts {
  fromMs: number
  /** Absent for the last bucket, which is open-ended. */
  toMs?: number
}

export interface LatencyFigures {
  /** Number of measured attempts. */
  measured: number
  /** Attempts without a response, or that ran as a job. */
  notMeasured: number
  /** Milliseconds by nearest rank; absent without measurements. */
  p50Ms?: number
  p90Ms?: number
  p99Ms?: number
  maxMs?: number
  buckets: LatencyBucket[]
}

export interface ErrorFigure {
  class: DeliveryErrorClass
  /** HTTP status or exit code. */
  status?: number
  count: number
  /** Time of the newest one; milliseconds since 1970. */
  lastAt: number
  lastDeliveryId: string
}

export interface SpanVerdicts extends Verdicts {
  /** Milliseconds since 1970. */
  from: number
  /** Failed so far, and will be retried. */
  failing: number
  /** Open, without an attempt that ended. */
  open: number
}

/** Each bound is about twice the previous one, to resolve fast and slow attempts equally well. */
const edgesMs = [
  0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000,
] as const

/** Returns the response time of an attempt in milliseconds; undefined without a response, or if it ran as a job. */
export function measuredMs({ durationMs, error, request }: Attempt): number | undefined {
  return request && responseTimeOf({ durationMs, errorClass: error?.class })
}

/** Measures the durations of attempts with a response, including replays. */
export function measureLatency(attempts: readonly Attempt[]): LatencyFigures {
  const measured = attempts.filter((attempt) => measuredMs(attempt) !== undefined)
  const durations = new Float64Array(measured.map(({ durationMs = 0 }) => durationMs)).toSorted()
  const buckets: LatencyBucket[] = edgesMs.map((fromMs, index) => {
    const toMs = edgesMs[index + 1]
    return { fromMs, ...(toMs !== undefined && { toMs }), succeeded: 0, failed: 0 }
  })
  for (const { durationMs = 0, outcome } of measured) {
    const bucket = buckets[bucketOf(durationMs)]
    if (bucket === undefined) continue
    if (outcome === 'succeeded') bucket.succeeded++
    else bucket.failed++
  }
  const ended = attempts.filter(({ durationMs }) => durationMs !== undefined).length
  return {
    measured: measured.length,
    notMeasured: ended - measured.length,
    ...quantiles(durations),
    buckets,
  }
}

function bucketOf(durationMs: number): number {
  let index = 0
  while ((edgesMs[index + 1] ?? Infinity) <= durationMs) index++
  return index
}

/** Returns quantiles by nearest rank, so that each is a measured time. */
function quantiles(
  sorted: Float64Array,
): Pick<LatencyFigures, 'p50Ms' | 'p90Ms' | 'p99Ms' | 'maxMs'> {
  const at = (share: number) => atRank(sorted, share)
  const [p50Ms, p90Ms, p99Ms, maxMs] = [at(0.5), at(0.9), at(0.99), at(1)]
  if (p50Ms === undefined || p90Ms === undefined || p99Ms === undefined || maxMs === undefined) {
    return {}
  }
  return { p50Ms, p90Ms, p99Ms, maxMs }
}

/** Returns the quantile of sorted numbers by nearest rank; undefined without any. */
export function atRank(sorted: Float64Array, share: number): number | undefined {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)]
}

/**
 * Counts the errors of attempts, the most frequent first.
 * @param most longest list; further errors are only counted
 */
export function countErrors(
  attempts: Iterable<Attempt>,
  most: number,
): { errors: ErrorFigure[]; others: number } {
  const figures = new Map<string, ErrorFigure>()
  for (const { error, status, at, deliveryId } of attempts) {
    if (error === undefined) continue
    const key = `${error.class} ${status ?? ''}`
    const before = figures.get(key)
    const last = before === undefined || at >= before.lastAt
    figures.set(key, {
      class: error.class,
      ...(status !== undefined && { status }),
      count: (before?.count ?? 0) + 1,
      lastAt: last ? at : before.lastAt,
      lastDeliveryId: last ? deliveryId : before.lastDeliveryId,
    })
  }
  const sorted = [...figures.values()].toSorted((a, b) => b.count - a.count)
  const others = sorted.slice(most).reduce((sum, { count }) => sum + count, 0)
  return { errors: sorted.slice(0, most), others }
}

/**
 * Counts deliveries in equal time spans, from the oldest to now.
 * @param now milliseconds since 1970 on the sandbox clock, which may have been set back
 * @param most number of spans; each is at least a second
 */
export function countOverTime(
  deliveries: readonly Delivery[],
  now: number,
  most: number,
): { spanMs: number; spans: SpanVerdicts[] } {
  const decided = deliveries.map((delivery) => ({
    ...decidedOf(delivery),
    at: delivery.createdAt,
  }))
  return countInSpans(decided, { to: now, most, leastMs: 1000 })
}

/** Part of a delivery that is counted by time. */
type TimedDelivery = DecidedDelivery & { at: number }

interface SpanOptions {
  /** End of the last span, if no delivery is newer. */
  to?: number
  /** Number of spans. */
  most: number
  /** Shortest span; if the deliveries are closer together, there are fewer spans. */
  leastMs: number
}

/** Counts deliveries in equal time spans, from the oldest to the newest. */
export function countInSpans(
  deliveries: readonly TimedDelivery[],
  { to: end = -Infinity, most, leastMs }: SpanOptions,
): { spanMs: number; spans: SpanVerdicts[] } {
  if (deliveries.length === 0) return { spanMs: 0, spans: [] }
  let from = Infinity
  let to = end
  for (const { at } of deliveries) {
    from = Math.min(from, at)
    to = Math.max(to, at)
  }
  const spanMs = Math.max(leastMs, Math.ceil((to - from + 1) / most))
  const spans = Array.from({ length: Math.ceil((to - from + 1) / spanMs) }, (_, index) => ({
    from: from + index * spanMs,
    succeeded: 0,
    failed: 0,
    failing: 0,
    open: 0,
  }))
  for (const delivery of deliveries) {
    const span = spans[Math.floor((delivery.at - from) / spanMs)]
    const verdict = verdicts[resultOfDelivery(delivery)]
    if (span !== undefined && verdict !== undefined) span[verdict]++
  }
  return { spanMs, spans }
}

/** Columns of the results; none for a cancelled delivery, or a job that was only recorded. */
const verdicts: Partial<Record<DeliveryResult, keyof Omit<SpanVerdicts, 'from'>>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  failing: 'failing',
  pending: 'open',
}
