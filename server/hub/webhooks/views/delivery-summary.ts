import type { DeliverySummary } from '../../../contract/control-deliveries.ts'
import { countResults, responseTimeOf } from '../../../contract/delivery-result.ts'
import type { QueriedDelivery } from '../../../contract/query/subjects.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { listedDeliveryStates } from '../../../contract/words/webhook-words.ts'
import { isoTime } from '../../../core/time.ts'
import { type ActivityDeps, type DeliveryFilter, readMatches } from './activity.ts'
import { atRank, countInSpans } from './charts.ts'
import { withShares } from './statistics.ts'

const mostSpans = 48

/** Sums up the deliveries that match. */
export function summarizeMatches(deps: ActivityDeps, query: DeliveryFilter): DeliverySummary {
  const { rows, newer } = readMatches(deps, query)
  const { test, state, ...listed } = query
  const isWhole =
    test === undefined &&
    (state?.length ?? listedDeliveryStates.length) === listedDeliveryStates.length
  const all = state?.includes('skipped') === true ? { state: listedDeliveryStates } : {}
  return {
    ...summarize(rows),
    listed: isWhole ? rows.length : readMatches(deps, { ...listed, ...all }).rows.length,
    newer,
  }
}

/** Attempts of audits count nowhere. */
const isOwn = ({ source }: QueriedDelivery) => source !== 'audit'

/** Sums up the deliveries of a list: results, response times of their last attempts, results over time. */
export function summarize(
  rows: readonly QueriedDelivery[],
): Omit<DeliverySummary, 'listed' | 'newer'> {
  const own = rows.filter(isOwn)
  const counts = countResults(own.map((row) => ({ ...row, atFirst: row.atFirst === true })))
  const times = new Float64Array(
    own.map(responseTimeOf).filter((ms) => ms !== undefined),
  ).toSorted()
  const { spanMs, spans } = countInSpans(own, { most: mostSpans, leastMs: 1 })
  return {
    ...withShares(counts),
    skipped: own.length - counts.total,
    audits: rows.length - own.length,
    ...omitUndefined({ p50Ms: atRank(times, 0.5), p95Ms: atRank(times, 0.95) }),
    spanMs,
    spans: spans.map(({ from, ...span }) => ({ from: isoTime(from), ...span })),
  }
}
