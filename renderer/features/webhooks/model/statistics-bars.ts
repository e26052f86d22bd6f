import type { WebhookStatistics } from '../../../../server/contract/control-webhooks.ts'
import type { Bar, Mark } from '../../../ui/charts/chart-layout.ts'
import { formatDateTime, formatDay, formatTime, formatTook } from '../../../lib/format.ts'
import { omitUndefined } from '../../../lib/omit-undefined.ts'

type Latency = WebhookStatistics['latency']
type LatencyBucket = Latency['buckets'][number]

/** Edge of a bucket: `20 ms`, `5 s`. */
function formatEdge(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${ms / 1000} s`
}

function titleOf({ fromMs, toMs }: LatencyBucket): string {
  if (toMs === undefined) return `${formatEdge(fromMs)} or longer`
  return fromMs === 0 ? `Under ${formatEdge(toMs)}` : `${formatEdge(fromMs)} to ${formatEdge(toMs)}`
}

/** Buckets from the first to the last used one, and one more on either side. */
function usedBuckets(buckets: Latency['buckets']): Latency['buckets'] {
  const isUsed = ({ succeeded, failed }: LatencyBucket) => succeeded + failed > 0
  const first = buckets.findIndex(isUsed)
  if (first === -1) return []
  return buckets.slice(Math.max(0, first - 1), buckets.findLastIndex(isUsed) + 2)
}

export function latencyBars({ buckets }: Latency): Bar[] {
  return usedBuckets(buckets).map((bucket) => ({
    key: String(bucket.fromMs),
    label: formatEdge(bucket.fromMs),
    title: titleOf(bucket),
    parts: [
      { tone: 'bad', name: 'failed', value: bucket.failed },
      { tone: 'ok', name: 'succeeded', value: bucket.succeeded },
    ],
  }))
}

/** Positions of the percentiles among the bars. */
export function latencyMarks({ buckets, p50Ms, p90Ms, p99Ms }: Latency): Mark[] {
  const used = usedBuckets(buckets)
  return Object.entries(omitUndefined({ p50: p50Ms, p90: p90Ms, p99: p99Ms })).map(
    ([name, ms]) => ({
      label: `${name} ${formatTook(ms)}`,
      at: placeOf(ms, used),
    }),
  )
}

function placeOf(ms: number, buckets: Latency['buckets']): number {
  const index = buckets.findLastIndex(({ fromMs }) => fromMs <= ms)
  const { fromMs = 0, toMs } = buckets[index] ?? {}
  const share = toMs === undefined ? 0.5 : (ms - fromMs) / (toMs - fromMs)
  return Math.max(0, index) + share
}

const dayMs = 86_400_000

export function timeBars({ spanMs, spans }: WebhookStatistics['overTime']): Bar[] {
  const isLong = spanMs * spans.length > dayMs
  return spans.map(({ from, succeeded, failed, failing, open }) => ({
    key: from,
    label: isLong ? formatDay(from) : formatTime(from),
    title: isLong ? formatDateTime(from) : `From ${formatTime(from)}`,
    parts: [
      { tone: 'bad', name: 'failed', value: failed },
      { tone: 'warn', name: 'failing', value: failing },
      { tone: 'accent', name: 'pending', value: open },
      { tone: 'ok', name: 'succeeded', value: succeeded },
    ],
  }))
}
