import type { RequestDensity } from '../../../../server/contract/control-summary.ts'
import { type FactKind, kindOfFact } from '../../../../server/contract/fact-kinds.ts'
import type { LiveEntry } from '../../../../server/contract/live.ts'
import { isDeliveryFailure } from './delivery-failures.ts'
import { reportsFailure } from './describe-entry.ts'
import type { TimeRange } from './timeline-filter.ts'

// How much happened when, for the strip above the activity.

export const lanes = ['sign-ins', 'requests', 'deliveries', 'events'] as const
export type Lane = (typeof lanes)[number]

/** Requests are counted by the server: the live feed's history has only refused ones. */
const lanesOfKinds: Partial<Record<FactKind, Lane>> = {
  'sign-ins': 'sign-ins',
  tokens: 'sign-ins',
  deliveries: 'deliveries',
  jobs: 'deliveries',
  events: 'events',
}

export interface LaneCount {
  count: number
  failed: number
}

/** Requests that were received at about the same time. */
export interface RequestBatch extends LaneCount {
  /** Milliseconds since 1970. */
  at: number
}

/** Stretch of time in which the clock was not moved. */
interface Stretch extends TimeRange {
  /** Distance of its start from the left, in milliseconds. */
  at: number
}

/** Time axis without the time that the clock jumped over. */
export interface TimeAxis {
  stretches: readonly Stretch[]
  lengthMs: number
}

export interface DensityBin extends TimeRange {
  lanes: Record<Lane, LaneCount>
}

/** Length of the axis of a sandbox that has just started. */
const leastLengthMs = 10_000

/**
 * Places the counted requests at the end of their spans: a start may be before a move of the clock that they followed.
 * @param from earlier ones are left out
 */
export function batchRequests(
  { spanMs, spans }: RequestDensity,
  from: number,
  now: number,
): RequestBatch[] {
  return spans
    .map(({ from: start, requests, refused }) => ({
      at: Math.min(now, Date.parse(start) + spanMs),
      count: requests,
      failed: refused,
    }))
    .filter(({ at }) => at >= from)
}

/**
 * Lays out a time axis; each move of the clock starts a new stretch.
 * @param facts newest first
 * @param now end of the axis
 */
export function layAxis(
  facts: readonly LiveEntry[],
  requests: readonly Pick<RequestBatch, 'at'>[],
  now: number,
): TimeAxis {
  const ranges: TimeRange[] = []
  for (const { type, time } of facts.toReversed()) {
    const at = Date.parse(time)
    const last = ranges.at(-1)
    if (last === undefined || type === 'clock.changed') ranges.push({ from: at, to: at })
    else last.to = Math.max(last.to, at)
  }
  if (ranges.length === 0) ranges.push({ from: requests[0]?.at ?? now, to: now })
  for (const { at } of requests) {
    const range = ranges[indexOfRange(ranges, at, now)]
    if (range === undefined) continue
    range.from = Math.min(range.from, at)
    range.to = Math.max(range.to, at)
  }
  const last = ranges.at(-1)
  if (last !== undefined) last.to = Math.max(last.to, now)
  let lengthMs = 0
  const stretches = ranges.map((range) => {
    const at = lengthMs
    lengthMs += range.to - range.from
    return { ...range, at }
  })
  return { stretches, lengthMs: Math.max(leastLengthMs, lengthMs) }
}

/** Returns the last range that may contain a time: a range lasts until the clock was moved. */
function indexOfRange(ranges: readonly TimeRange[], at: number, now: number): number {
  const found = ranges.findLastIndex(({ from, to }, index) => {
    const next = ranges[index + 1]
    const end = next === undefined ? Math.max(now, to) : next.from > from ? next.from : Infinity
    return from <= at && at <= end
  })
  return Math.max(0, found)
}

export function positionOf({ stretches, lengthMs }: TimeAxis, time: number): number {
  const end = stretches.at(-1)?.to ?? time
  const stretch = stretches[indexOfRange(stretches, time, end)]
  if (stretch === undefined) return 0
  const { at, from, to } = stretch
  return Math.min(lengthMs, at + Math.min(to - from, Math.max(0, time - from)))
}

function timeAt({ stretches }: TimeAxis, position: number): number {
  const stretch = stretches.findLast(({ at }) => at <= position)
  return stretch === undefined ? 0 : stretch.from + position - stretch.at
}

/** Counts facts and requests in equal parts of the axis. */
export function countInBins(
  axis: TimeAxis,
  facts: readonly LiveEntry[],
  requests: readonly RequestBatch[],
  bins: number,
): DensityBin[] {
  const width = axis.lengthMs / bins
  const counted = Array.from({ length: bins }, (_, index) => ({
    from: timeAt(axis, index * width),
    to: timeAt(axis, (index + 1) * width),
    lanes: emptyLanes(),
  }))
  const add = (time: number, lane: Lane, { count, failed }: LaneCount) => {
    const index = Math.min(bins - 1, Math.floor(positionOf(axis, time) / width))
    const sum = counted[index]?.lanes[lane]
    if (sum === undefined) return
    sum.count += count
    sum.failed += failed
  }
  for (const fact of facts) {
    const lane = lanesOfKinds[kindOfFact(fact.type)]
    if (lane === undefined) continue
    const hasFailed = isDeliveryFailure(fact) || reportsFailure(fact)
    add(Date.parse(fact.time), lane, { count: 1, failed: hasFailed ? 1 : 0 })
  }
  for (const batch of requests) add(batch.at, 'requests', batch)
  return counted
}

function emptyLanes(): Record<Lane, LaneCount> {
  const none = () => ({ count: 0, failed: 0 })
  return { 'sign-ins': none(), requests: none(), deliveries: none(), events: none() }
}

/** Returns the bins from the one at `from` to the one before `to`, as positions between bins. */
export function binsOf(axis: TimeAxis, { from, to }: TimeRange, bins: number): [number, number] {
  const width = axis.lengthMs / bins
  const start = Math.min(bins - 1, Math.floor(positionOf(axis, from) / width + 0.01))
  const end = Math.ceil(positionOf(axis, to) / width - 0.01)
  return [start, Math.min(bins, Math.max(start + 1, end))]
}
