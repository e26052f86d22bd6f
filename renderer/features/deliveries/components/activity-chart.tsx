import { useMemo } from 'react'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { formatTook, plural } from '../../../lib/format.ts'
import { bucketize, summarize } from '../lib/statistics.ts'

const bucketCount = 48

/** How it went, in one line: rates, times, and a bar for each span. */
export function ActivityChart({ rows }: { rows: readonly DeliveryRow[] }) {
  const buckets = useMemo(() => bucketize(rows, bucketCount), [rows])
  const { succeeded, failed, successRate, firstAttemptRate, p50Ms, p95Ms, outstanding } = useMemo(
    () => summarize(rows),
    [rows],
  )
  const highest = Math.max(1, ...buckets.map((b) => b.succeeded + b.failed + b.open))
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
        <svg
          aria-hidden="true"
          viewBox={`0 0 ${bucketCount * 6} 32`}
          preserveAspectRatio="none"
          className="size-full"
        >
          {buckets.map((bucket, index) => {
            const scale = 30 / highest
            const failedHeight = bucket.failed * scale
            const openHeight = bucket.open * scale
            const succeededHeight = bucket.succeeded * scale
            const x = index * 6
            return (
              <g key={bucket.from}>
                <rect x={x} y={31} width={5} height={1} className="fill-line" />
                <rect
                  x={x}
                  y={31 - failedHeight}
                  width={5}
                  height={failedHeight}
                  className="fill-bad"
                />
                <rect
                  x={x}
                  y={31 - failedHeight - openHeight}
                  width={5}
                  height={openHeight}
                  className="fill-warn"
                />
                <rect
                  x={x}
                  y={31 - failedHeight - openHeight - succeededHeight}
                  width={5}
                  height={succeededHeight}
                  className="fill-ok"
                />
              </g>
            )
          })}
        </svg>
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
