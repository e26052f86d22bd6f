import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { isFailingNow, isFailure, isNotRun, isOpen, responseTime } from './state-look.ts'

export interface Statistics {
  succeeded: number
  /** Failed with no retry left. */
  failed: number
  /** Last attempt failed and will be retried. */
  failingNow: number
  /** Share of all deliveries that were attempted, whether they are finished or not. */
  successRate: number | undefined
  firstAttemptRate: number | undefined
  p50Ms: number | undefined
  p95Ms: number | undefined
  outstanding: number
}

export function summarize(rows: readonly DeliveryRow[]): Statistics {
  let attempted = 0
  let succeeded = 0
  let atFirst = 0
  let failed = 0
  let failingNow = 0
  let outstanding = 0
  const durations: number[] = []
  for (const row of rows) {
    if (isNotRun(row)) continue
    if (row.firstOutcome !== undefined) attempted++
    if (row.firstOutcome === 'succeeded') atFirst++
    if (row.state === 'succeeded') succeeded++
    if (row.state === 'failed') failed++
    if (isFailingNow(row)) failingNow++
    if (isOpen(row)) outstanding++
    const tookMs = responseTime(row)
    if (tookMs !== undefined) durations.push(tookMs)
  }
  durations.sort((a, b) => a - b)
  // Nearest rank, as the statistics of a webhook have it: each is a measured time.
  const quantile = (share: number) => durations[Math.ceil(durations.length * share) - 1]
  return {
    succeeded,
    failed,
    failingNow,
    successRate: attempted > 0 ? succeeded / attempted : undefined,
    firstAttemptRate: attempted > 0 ? atFirst / attempted : undefined,
    p50Ms: quantile(0.5),
    p95Ms: quantile(0.95),
    outstanding,
  }
}

export interface Bucket {
  from: number
  to: number
  succeeded: number
  /** Failed, or failing now. */
  failed: number
  open: number
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
    open: 0,
  }))
  rows.forEach((row, index) => {
    const at = Math.min(count - 1, Math.floor(((times[index] ?? oldest) - oldest) / span))
    const bucket = buckets[at]
    if (!bucket || row.state === 'skipped' || isNotRun(row)) return
    if (row.state === 'succeeded') bucket.succeeded++
    else if (isFailure(row)) bucket.failed++
    else if (isOpen(row)) bucket.open++
  })
  return buckets
}
