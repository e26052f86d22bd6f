import { useMemo } from 'react'
import type { DeliverySummary } from '../../../../server/contract/control-deliveries.ts'
import { classNames } from '../../../lib/class-names.ts'
import { plural } from '../../../lib/format.ts'
import { figuresOf } from '../model/figures.ts'
import { ActivityBars, type Bucket } from './activity-bars.tsx'

const bars = 48

interface ActivityChartProps {
  sums: DeliverySummary
  /** Called with the selected span, in milliseconds since 1970. */
  onSpan: (from: number, to: number) => void
  /** Called with the words of a query that lists what a number counts. */
  onShow: (words: Readonly<Record<string, string>>) => void
}

/** Summary in one line: every result with its number, which adds up to all, rates, durations, and a bar for each span. */
export function ActivityChart({ sums, onSpan, onShow }: ActivityChartProps) {
  const buckets = useMemo(() => bucketsOf(sums), [sums])
  const { total, skipped, succeeded, failed, failing } = sums
  return (
    <div className="flex items-end gap-6 px-1 pb-3">
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        {figuresOf(sums).map(({ name, value, tone, query }) => (
          <div key={name}>
            <dt className="text-2xs text-faint">{name}</dt>
            <dd className={classNames('text-base leading-5 font-semibold', tone)}>
              {query === undefined ? (
                value
              ) : (
                <button
                  type="button"
                  aria-label={`${value} ${name}: show them`}
                  onClick={() => onShow(query)}
                  className="rounded hover:underline"
                >
                  {value}
                </button>
              )}
            </dd>
          </div>
        ))}
      </dl>
      <figure className="ml-auto h-8 w-full max-w-80 min-w-0 max-md:hidden">
        <figcaption className="sr-only">
          {`${plural(total + skipped, 'delivery', 'deliveries')} over time: ${succeeded} succeeded, ${failing} failing, ${failed} failed`}
        </figcaption>
        <ActivityBars buckets={buckets} onSpan={onSpan} />
      </figure>
    </div>
  )
}

const empty = { succeeded: 0, failed: 0, failing: 0, open: 0 }

/** Bars of the spans. Deliveries within a few milliseconds have fewer spans; their bars are as narrow as usual. */
function bucketsOf({ spans, spanMs }: DeliverySummary): Bucket[] {
  const [first] = spans
  if (first === undefined) return []
  const start = Date.parse(first.from)
  return Array.from({ length: bars }, (_, index) => ({
    ...(spans[index] ?? empty),
    from: start + index * spanMs,
    to: start + (index + 1) * spanMs,
  }))
}
