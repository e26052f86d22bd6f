import {
  countResults,
  type DeliveryCounts,
  resultOfDelivery,
  shareOf,
} from '../../../../server/contract/delivery-result.ts'
import type { DeliveryResult } from '../../../../server/contract/words/webhook-words.ts'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { decidedOf, responseTime, succeededAtFirst } from './state-look.ts'

export interface Statistics extends DeliveryCounts {
  skipped: number
  /** Share of the attempted deliveries, whether they are finished or not; null without any. */
  successRate: number | null
  firstAttemptRate: number | null
  p50Ms: number | undefined
  p95Ms: number | undefined
}

/** Attempts of audits count nowhere. */
const isOwn = ({ audit }: DeliveryRow) => audit === undefined

/** Sums up the rows of a list, without attempts of audits. */
export function summarize(rows: readonly DeliveryRow[]): Statistics {
  const own = rows.filter(isOwn)
  const counts = countResults(
    own.map((row) => ({ ...decidedOf(row), atFirst: succeededAtFirst(row) })),
  )
  const durations = own
    .map(responseTime)
    .filter((ms) => ms !== undefined)
    .toSorted((a, b) => a - b)
  // Nearest rank, as the statistics of a webhook have it: each is a measured time.
  const quantile = (share: number) => durations[Math.ceil(durations.length * share) - 1]
  return {
    ...counts,
    skipped: own.length - counts.total,
    successRate: shareOf(counts.succeeded, counts),
    firstAttemptRate: shareOf(counts.succeededAtFirst, counts),
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
  }
}

export interface Bucket {
  from: number
  to: number
  succeeded: number
  /** Given up. */
  failed: number
  /** Failed so far. */
  failing: number
  open: number
}

/** Bars of the results; none for a delivery that was cancelled, skipped or not run. */
const bars: Partial<Record<DeliveryResult, keyof Omit<Bucket, 'from' | 'to'>>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  failing: 'failing',
  pending: 'open',
}

/** Counts the rows in `count` equal spans between the oldest and the newest. */
export function bucketize(rows: readonly DeliveryRow[], count: number): Bucket[] {
  const times = rows.map(({ createdAt }) => Date.parse(createdAt))
  if (times.length === 0) return []
  let oldest = Infinity
  let newest = -Infinity
  for (const time of times) {
    if (time < oldest) oldest = time
    if (time > newest) newest = time
  }
  const span = Math.max((newest - oldest) / count, 1)
  const buckets = Array.from({ length: count }, (_, index) => ({
    from: oldest + index * span,
    to: oldest + (index + 1) * span,
    succeeded: 0,
    failed: 0,
    failing: 0,
    open: 0,
  }))
  rows.forEach((row, index) => {
    const at = Math.min(count - 1, Math.floor(((times[index] ?? oldest) - oldest) / span))
    const bar = bars[resultOfDelivery(decidedOf(row))]
    const bucket = buckets[at]
    if (bucket && bar !== undefined && isOwn(row)) bucket[bar]++
  })
  return buckets
}
