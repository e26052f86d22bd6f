import { useMemo } from 'react'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { formatTook, plural } from '../../../lib/format.ts'
import { bucketize, summarize } from '../lib/statistics.ts'
import { ActivityBars } from './activity-bars.tsx'

const bucketCount = 48

interface ActivityChartProps {
  rows: readonly DeliveryRow[]
  /** A span of time was chosen, in milliseconds since 1970. */
  onSpan: (from: number, to: number) => void
}

/** How it went, in one line: rates, times, and a bar for each span. */
export function ActivityChart({ rows, onSpan }: ActivityChartProps) {
  const buckets = useMemo(() => bucketize(rows, bucketCount), [rows])
  const { succeeded, failed, successRate, firstAttemptRate, p50Ms, p95Ms, outstanding } = useMemo(
    () => summarize(rows),
    [rows],
  )
  const facts = [
    ['Succeeded', percent(successRate)],
    ['At first try', percent(firstAttemptRate)],
    ['p50', took(p50Ms)],
    ['p95', took(p95Ms)],
    ['Open', String(outstanding)],
  ] as const
  return (
    <div className="flex items-end gap-6 px-1 pb-3">
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-2xs text-faint">{name}</dt>
            <dd className="text-base leading-5 font-semibold">{value}</dd>
          </div>
        ))}
      </dl>
      <figure className="ml-auto h-8 w-full max-w-80 min-w-0 max-md:hidden">
        <figcaption className="sr-only">
          {plural(rows.length, 'delivery', 'deliveries')} over time: {succeeded} succeeded, {failed}{' '}
          failed
        </figcaption>
        <ActivityBars buckets={buckets} onSpan={onSpan} />
      </figure>
    </div>
  )
}

function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${Math.round(share * 100)} %`
}

function took(ms: number | undefined): string {
  return ms === undefined ? '–' : formatTook(ms)
}
