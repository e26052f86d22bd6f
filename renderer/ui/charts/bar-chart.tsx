import { useState, type PointerEvent } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { formatCount } from '../../lib/format.ts'
import { useWidth } from '../../lib/use-width.ts'
import { ChartTable } from './chart-table.tsx'
import { Bars, CountAxis, LabelAxis, Marks, plot, type Plot } from './chart-parts.tsx'
import { describeParts, ticksUpTo, totalOf, type Bar, type Mark } from './chart-layout.ts'
import { ChartTooltip } from './chart-tooltip.tsx'

interface BarChartProps {
  /** Description for screen readers. */
  label: string
  bars: readonly Bar[]
  marks?: readonly Mark[]
  /** Unit of a bar: the first column of the table. */
  unit: string
}

/** Width in pixels before it is measured. */
const guess = 480

const noMarks: readonly Mark[] = []

/** Bars with a count axis. The pointer or arrow keys show the figures of each; a hidden table lists all. */
export function BarChart({ label, bars, marks = noMarks, unit }: BarChartProps) {
  const [setFrame, width = guess] = useWidth()
  const [active, setActive] = useState<number>()
  const ticks = ticksUpTo(Math.max(0, ...bars.map(totalOf)))
  const area: Plot = plot(width, bars.length, marks)
  const shown = active === undefined ? undefined : bars[active]
  const indexAt = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left - area.left
    return Math.min(bars.length - 1, Math.max(0, Math.floor(x / area.barWidth)))
  }
  return (
    <figure className="min-w-0">
      <div
        ref={setFrame}
        className="relative rounded-md has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent"
        onPointerMove={(event) => setActive(indexAt(event))}
        onPointerLeave={() => setActive(undefined)}
      >
        <svg aria-hidden="true" width={width} height={area.height} className="block">
          <CountAxis area={area} ticks={ticks} />
          <Bars area={area} bars={bars} highest={ticks.at(-1) ?? 1} active={active} />
          <LabelAxis area={area} bars={bars} />
          <Marks area={area} marks={marks} />
        </svg>
        {/* Over the chart and unseen: arrows, Home and End move it, and it says where it stands. */}
        <input
          type="range"
          aria-label={label}
          aria-valuetext={shown && `${shown.title}: ${describeParts(shown.parts, formatCount)}`}
          min={0}
          max={bars.length - 1}
          value={active ?? 0}
          onChange={(event) => setActive(Number(event.target.value))}
          onFocus={() => setActive((current) => current ?? 0)}
          onBlur={() => setActive(undefined)}
          onKeyDown={(event) => event.key === 'Escape' && setActive(undefined)}
          className={classNames(
            'absolute inset-0 m-0 size-full touch-pan-y opacity-0',
            'cursor-default',
          )}
        />
        {shown && active !== undefined && <ChartTooltip area={area} bar={shown} index={active} />}
      </div>
      <ChartTable label={label} unit={unit} bars={bars} marks={marks} />
    </figure>
  )
}
