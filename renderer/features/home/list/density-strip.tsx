import { type PointerEvent, useState } from 'react'
import { formatCount, formatDateTime, formatTime } from '../../../lib/format.ts'
import { useWidth } from '../../../lib/use-width.ts'
import { binsOf, type DensityBin, type Lane, lanes, type TimeAxis } from '../model/density.ts'
import type { TimeRange } from '../model/timeline-filter.ts'
import { words } from '../words.ts'

interface DensityStripProps {
  axis: TimeAxis
  /** Counts the parts of the axis. */
  count: (bins: number) => DensityBin[]
  range: TimeRange | undefined
  onRange: (range: TimeRange | undefined) => void
}

const laneHeight = 16
const height = lanes.length * laneHeight
/** Width in pixels before it is measured. */
const guess = 480
const pixelsOfBin = 9
const mostBins = 120

/** Bins between two positions, the second one excluded. */
type BinRange = readonly [from: number, to: number]

/** What is drawn at one moment. */
interface Drawn {
  axis: TimeAxis
  bins: readonly DensityBin[]
}

/**
 * Activity over time, a line for each kind, with a brush: drag with the pointer, or move its ends with the arrow keys.
 * While the pointer is over it, it stands still: a bar that moves away could not be read or selected.
 */
export function DensityStrip({ axis: axisNow, count, range, onRange }: DensityStripProps) {
  const [setFrame, width = guess] = useWidth()
  const [drag, setDrag] = useState<{ start: number; end: number }>()
  const [hovered, setHovered] = useState<number>()
  const [held, setHeld] = useState<Drawn>()
  const binsNow = count(Math.max(8, Math.min(mostBins, Math.floor(width / pixelsOfBin))))
  const { axis, bins } = held ?? { axis: axisNow, bins: binsNow }
  const total = bins.length
  const dragged: BinRange | undefined = drag && [
    Math.min(drag.start, drag.end),
    Math.max(drag.start, drag.end) + 1,
  ]
  const chosen = dragged ?? (range && binsOf(axis, range, total))
  const choose = ([from, to]: BinRange) => {
    const [first, last] = [bins[from], bins[to - 1]]
    if (first === undefined || last === undefined) return
    onRange({ from: Math.min(first.from, last.from), to: Math.max(first.to, last.to) })
  }
  const binAt = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width: whole } = currentTarget.getBoundingClientRect()
    return Math.min(total - 1, Math.max(0, Math.floor(((clientX - left) / whole) * total)))
  }
  const shown = hovered === undefined ? undefined : bins[hovered]
  return (
    <figure aria-label="Activity over time" className="flex min-w-0 gap-2">
      <ul aria-hidden="true" className="shrink-0 text-2xs text-muted max-sm:hidden">
        {lanes.map((lane) => (
          <li key={lane} style={{ height: laneHeight, lineHeight: `${laneHeight}px` }}>
            {words.lanes[lane]}
          </li>
        ))}
      </ul>
      <div className="min-w-0 flex-1">
        <div
          ref={setFrame}
          data-testid="density"
          className="relative cursor-crosshair touch-pan-y rounded bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          style={{ height }}
          onPointerEnter={() => setHeld({ axis, bins })}
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            setDrag({ start: binAt(event), end: binAt(event) })
          }}
          onPointerMove={(event) => {
            setHovered(binAt(event))
            if (drag) setDrag({ ...drag, end: binAt(event) })
          }}
          onPointerUp={() => {
            if (dragged) choose(dragged)
            setDrag(undefined)
          }}
          onPointerCancel={() => setDrag(undefined)}
          onPointerLeave={() => {
            setHovered(undefined)
            setHeld(undefined)
          }}
        >
          <Picture axis={axis} bins={bins} width={width} chosen={chosen} hovered={hovered} />
          <BrushEnds
            bins={bins}
            chosen={chosen}
            onChoose={choose}
            onEnd={() => onRange(undefined)}
          />
        </div>
        <p className="flex justify-between gap-2 pt-1 text-2xs text-faint tabular-nums">
          <span>{formatTime(bins[0]?.from ?? 0)}</span>
          <span className="min-w-0 truncate text-muted" data-testid="density-figures">
            {shown ? describeBin(shown) : 'Drag to choose a span.'}
          </span>
          <span>{formatTime(bins.at(-1)?.to ?? 0)}</span>
        </p>
      </div>
    </figure>
  )
}

interface BrushEndsProps {
  bins: readonly DensityBin[]
  chosen: BinRange | undefined
  onChoose: (range: BinRange) => void
  onEnd: () => void
}

/** The ends of the brush for the keyboard, as two sliders over the strip that are not seen. */
function BrushEnds({ bins, chosen, onChoose, onEnd }: BrushEndsProps) {
  const [from, to] = chosen ?? [0, bins.length]
  const common = {
    min: 0,
    max: bins.length,
    className: 'pointer-events-none absolute inset-0 m-0 size-full opacity-0',
    onKeyDown: (event: { key: string }) => event.key === 'Escape' && onEnd(),
  } as const
  return (
    <>
      <input
        {...common}
        type="range"
        aria-label="Start of the span"
        aria-valuetext={formatDateTime(bins[from]?.from ?? 0)}
        value={from}
        onChange={({ target }) => onChoose([Math.min(Number(target.value), to - 1), to])}
      />
      <input
        {...common}
        type="range"
        aria-label="End of the span"
        aria-valuetext={formatDateTime(bins[to - 1]?.to ?? 0)}
        value={to}
        onChange={({ target }) => onChoose([from, Math.max(Number(target.value), from + 1)])}
      />
    </>
  )
}

interface PictureProps {
  axis: TimeAxis
  bins: readonly DensityBin[]
  width: number
  chosen: BinRange | undefined
  hovered: number | undefined
}

function Picture({ axis, bins, width, chosen, hovered }: PictureProps) {
  const binWidth = width / bins.length
  return (
    <svg aria-hidden="true" width={width} height={height} className="absolute inset-0">
      {hovered !== undefined && (
        <rect x={hovered * binWidth} width={binWidth} height={height} className="fill-hover" />
      )}
      {lanes.map((lane, index) => (
        <LaneBars key={lane} lane={lane} bins={bins} binWidth={binWidth} y={index * laneHeight} />
      ))}
      {axis.stretches.slice(1).map(({ at, from }) => {
        const x = (at / axis.lengthMs) * width
        return (
          <line
            key={`${at} ${from}`}
            x1={x}
            x2={x}
            y2={height}
            strokeDasharray="3 2"
            className="stroke-warn forced-colors:stroke-[CanvasText]"
            strokeWidth={1.5}
          />
        )
      })}
      {chosen && <Brush from={chosen[0] * binWidth} to={chosen[1] * binWidth} width={width} />}
    </svg>
  )
}

function Brush({ from, to, width }: { from: number; to: number; width: number }) {
  const outside = 'fill-canvas opacity-70 forced-colors:fill-[Canvas]'
  return (
    <>
      <rect width={from} height={height} className={outside} />
      <rect x={to} width={Math.max(0, width - to)} height={height} className={outside} />
      <rect
        x={from + 0.75}
        y={0.75}
        width={Math.max(0, to - from - 1.5)}
        height={height - 1.5}
        rx={2}
        strokeWidth={1.5}
        className="fill-none stroke-accent forced-colors:stroke-[Highlight]"
      />
    </>
  )
}

interface LaneBarsProps {
  lane: Lane
  bins: readonly DensityBin[]
  binWidth: number
  y: number
}

/** Bars of one kind. Failures have another colour, and a mark above them. */
function LaneBars({ lane, bins, binWidth, y }: LaneBarsProps) {
  const most = Math.max(1, ...bins.map((bin) => bin.lanes[lane].count))
  const room = laneHeight - 5
  // By the square root, so that a flood does not hide a single fact.
  const size = (count: number) => (count === 0 ? 0 : Math.max(2, Math.sqrt(count / most) * room))
  return (
    <>
      <line x2="100%" y1={y + laneHeight - 0.5} y2={y + laneHeight - 0.5} className="stroke-line" />
      {bins.map(({ lanes: { [lane]: of } }, index) => {
        if (of.count === 0) return null
        const key = `${lane} ${index}`
        const x = index * binWidth
        const barWidth = Math.max(1, binWidth - 1)
        const whole = size(of.count)
        const failed = Math.min(whole, size(of.failed))
        const base = y + laneHeight - 1
        return (
          <g key={key}>
            <rect
              x={x}
              y={base - whole}
              width={barWidth}
              height={whole}
              className="fill-accent forced-colors:fill-[CanvasText]"
            />
            {failed > 0 && (
              <>
                <rect
                  x={x}
                  y={base - failed}
                  width={barWidth}
                  height={failed}
                  className="fill-bad forced-colors:fill-[Highlight]"
                />
                <path
                  d={`M${x + barWidth / 2 - 2.5} ${y} h5 l-2.5 3.5 z`}
                  className="fill-bad forced-colors:fill-[Highlight]"
                />
              </>
            )}
          </g>
        )
      })}
    </>
  )
}

function describeBin({ from, to, lanes: counts }: DensityBin): string {
  const parts = lanes.flatMap((lane) => {
    const { count, failed } = counts[lane]
    if (count === 0) return []
    const failures = failed > 0 ? ` (${formatCount(failed)} with failures)` : ''
    return [`${formatCount(count)} ${words.lanes[lane].toLowerCase()}${failures}`]
  })
  return `${formatTime(from)} – ${formatTime(to)}: ${parts.join(', ') || 'nothing'}`
}
