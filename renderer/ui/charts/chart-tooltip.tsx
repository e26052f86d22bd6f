import { formatCount } from '../../lib/format.ts'
import type { Bar } from './chart-layout.ts'
import { partFills, type Plot } from './chart-parts.tsx'

const width = 168

/** The figures of one bar, beside it and within the chart. Read by no screen reader: the bar's own words are. */
export function ChartTooltip({ area, bar, index }: { area: Plot; bar: Bar; index: number }) {
  const middle = area.left + (index + 0.5) * area.barWidth
  const isRight = middle + width + 12 > area.width
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute z-10 rounded-lg border border-line bg-surface px-2.5 py-1.5 text-xs shadow-pop"
      style={{
        top: area.top,
        left: Math.max(0, isRight ? middle - width - 12 : middle + 12),
        width,
      }}
    >
      <p className="pb-0.5 font-medium">{bar.title}</p>
      {bar.parts.map(({ name, tone, value }) => (
        <p key={name} className="flex items-center gap-1.5 text-muted">
          <svg className="size-2.5 shrink-0">
            <rect width="10" height="10" rx="2" className={partFills[tone]} />
          </svg>
          {name}
          <span className="ml-auto text-ink">{formatCount(value)}</span>
        </p>
      ))}
    </div>
  )
}
