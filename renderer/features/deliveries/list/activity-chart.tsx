import { useMemo } from 'react'
import type { DeliveryRow } from '../../../api/delivery-rows.ts'
import { classNames } from '../../../lib/class-names.ts'
import { formatCount, formatTook, plural } from '../../../lib/format.ts'
import { bucketize, summarize } from '../model/statistics.ts'
import { ActivityBars } from './activity-bars.tsx'
import { words } from '../words.ts'

const bucketCount = 48

const alarming: Partial<Record<string, string>> = { 'Failing now': 'text-warn', Failed: 'text-bad' }

interface ActivityChartProps {
  rows: readonly DeliveryRow[]
  /** Called with the selected span, in milliseconds since 1970. */
  onSpan: (from: number, to: number) => void
}

/** Summary in one line: rates, durations, and a bar for each span. */
export function ActivityChart({ rows, onSpan }: ActivityChartProps) {
  const buckets = useMemo(() => bucketize(rows, bucketCount), [rows])
  const statistics = useMemo(() => summarize(rows), [rows])
  const { succeeded, failed, failingNow, outstanding } = statistics
  const facts = [
    [words.succeeded, percent(statistics.successRate)],
    ['First-attempt success', percent(statistics.firstAttemptRate)],
    ['Failing', formatCount(failingNow)],
    [words.failed, formatCount(failed)],
    ['Pending', formatCount(outstanding)],
    ['p50', took(statistics.p50Ms)],
    ['p95', took(statistics.p95Ms)],
  ] as const
  return (
    <div className="flex items-end gap-6 px-1 pb-3">
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-2xs text-faint">{name}</dt>
            <dd
              className={classNames(
                'text-base leading-5 font-semibold',
                value !== '0' && (alarming[name] ?? ''),
              )}
            >
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <figure className="ml-auto h-8 w-full max-w-80 min-w-0 max-md:hidden">
        <figcaption className="sr-only">
          {`${plural(rows.length, 'delivery', 'deliveries')} over time: ${succeeded} succeeded, ${failingNow} failing, ${failed} failed`}
        </figcaption>
        <ActivityBars buckets={buckets} onSpan={onSpan} />
      </figure>
    </div>
  )
}

/** Shows 100 % only for all and 0 % only for none. */
function percent(share: number | undefined): string {
  if (share === undefined) return '–'
  const rounded = Math.round(share * 100)
  if (rounded === 100 && share < 1) return '99 %'
  if (rounded === 0 && share > 0) return '1 %'
  return `${rounded} %`
}

function took(ms: number | undefined): string {
  return ms === undefined ? '–' : formatTook(ms)
}
