import { formatCount } from '../../lib/format.ts'
import { classNames } from '../../lib/class-names.ts'
import {
  labelStep,
  layMarks,
  stackParts,
  type Bar,
  type Mark,
  type PartTone,
} from './chart-layout.ts'

/** Geometry of a chart, in pixels. */
export interface Plot {
  width: number
  height: number
  left: number
  top: number
  barWidth: number
  barsHeight: number
}

const barsHeight = 132
const axisHeight = 22
const markLine = 15
const labelWidth = 54
const characterWidth = 6.5
const markWidth = 92
const left = 40
/** Widest bar: a few bars must not fill the chart. */
const widestBar = 56

/** Room for the labels of the marks is above the bars. */
export function plot(width: number, bars: number, marks: readonly Mark[]): Plot {
  const barWidth = Math.min(widestBar, Math.max(1, (width - left - 4) / Math.max(1, bars)))
  const lines = Math.max(0, ...layMarks(marks, markWidth / barWidth).map(({ line }) => line + 1))
  const top = 8 + lines * markLine
  return { width, height: top + barsHeight + axisHeight, left, top, barWidth, barsHeight }
}

/** Colours of the parts; where the system forces its own, these are told apart by its own. */
export const partFills: Record<PartTone, string> = {
  ok: 'fill-ok forced-colors:fill-[CanvasText]',
  bad: 'fill-bad forced-colors:fill-[Highlight]',
  warn: 'fill-warn forced-colors:fill-[GrayText]',
  accent: 'fill-accent forced-colors:fill-[CanvasText]',
}

export function CountAxis({ area, ticks }: { area: Plot; ticks: readonly number[] }) {
  const highest = ticks.at(-1) ?? 1
  return ticks.map((tick) => {
    const y = area.top + area.barsHeight * (1 - tick / highest) + 0.5
    return (
      <g key={tick}>
        <line x1={area.left} x2={area.width} y1={y} y2={y} className="stroke-line" />
        <text x={area.left - 6} y={y + 3.5} textAnchor="end" className="fill-faint text-2xs">
          {formatCount(tick)}
        </text>
      </g>
    )
  })
}

interface BarsProps {
  area: Plot
  bars: readonly Bar[]
  highest: number
  active: number | undefined
}

export function Bars({ area, bars, highest, active }: BarsProps) {
  const gap = area.barWidth > 6 ? 2 : area.barWidth > 3 ? 1 : 0
  return bars.map((bar, index) => {
    const x = area.left + index * area.barWidth
    return (
      <g key={bar.key}>
        {index === active && (
          <rect
            x={x}
            y={area.top}
            width={area.barWidth}
            height={area.barsHeight}
            className="fill-hover"
          />
        )}
        {stackParts(bar.parts, highest, area.barsHeight).map(({ name, tone, y, height }) => (
          <rect
            key={name}
            x={x + gap / 2}
            y={area.top + y}
            width={Math.max(1, area.barWidth - gap)}
            height={height}
            className={classNames(partFills[tone])}
          />
        ))}
      </g>
    )
  })
}

export function LabelAxis({ area, bars }: { area: Plot; bars: readonly Bar[] }) {
  const step = labelStep(bars.length, area.barWidth, labelWidth)
  return bars.map(({ key, label }, index) => {
    const x = area.left + index * area.barWidth
    // Near the right edge a label would be cut off.
    if (index % step !== 0 || (index > 0 && x + label.length * characterWidth > area.width))
      return null
    return (
      <text key={key} x={x} y={area.top + area.barsHeight + 15} className="fill-faint text-2xs">
        {label}
      </text>
    )
  })
}

export function Marks({ area, marks }: { area: Plot; marks: readonly Mark[] }) {
  return layMarks(marks, markWidth / area.barWidth).map(({ label, at, line }) => {
    const x = area.left + at * area.barWidth
    const y = 10 + line * markLine
    // Near the right edge there is room on the left only.
    const isLate = x + markWidth > area.width
    return (
      <g key={label}>
        <line
          x1={x}
          x2={x}
          y1={y - 8}
          y2={area.top + area.barsHeight}
          strokeDasharray="3 3"
          className="stroke-muted forced-colors:stroke-[CanvasText]"
        />
        <text
          x={isLate ? x - 5 : x + 5}
          y={y}
          textAnchor={isLate ? 'end' : 'start'}
          className="fill-ink text-2xs font-medium"
        >
          {label}
        </text>
      </g>
    )
  })
}
