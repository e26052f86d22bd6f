import { useState, type PointerEvent } from 'react'

const barWidth = 6
const height = 32

/** Deliveries of a span of time, in milliseconds since 1970. */
export interface Bucket {
  from: number
  to: number
  succeeded: number
  /** Given up. */
  failed: number
  /** Failed so far. */
  failing: number
  open: number
}

interface ActivityBarsProps {
  buckets: readonly Bucket[]
  /** Called after dragging from one bar to another. */
  onSpan: (from: number, to: number) => void
}

/** Bar for each span of time. Dragging sets the same filter that can be typed. */
export function ActivityBars({ buckets, onSpan }: ActivityBarsProps) {
  const [drag, setDrag] = useState<{ start: number; end: number }>()
  const highest = Math.max(1, ...buckets.map((b) => b.succeeded + b.failed + b.failing + b.open))
  const indexAt = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const index = Math.floor(((clientX - left) / width) * buckets.length)
    return Math.min(buckets.length - 1, Math.max(0, index))
  }
  const [first, last] = drag ? [drag.start, drag.end].toSorted((a, b) => a - b) : []
  function finish(): void {
    setDrag(undefined)
    const from = buckets[first ?? -1]?.from
    const to = buckets[last ?? -1]?.to
    if (from !== undefined && to !== undefined) onSpan(from, to)
  }
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${buckets.length * barWidth} ${height}`}
      preserveAspectRatio="none"
      className="size-full cursor-crosshair touch-none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        const index = indexAt(event)
        setDrag({ start: index, end: index })
      }}
      onPointerMove={(event) => {
        if (drag) setDrag({ ...drag, end: indexAt(event) })
      }}
      onPointerUp={finish}
      onPointerCancel={() => setDrag(undefined)}
    >
      {first !== undefined && last !== undefined && (
        <rect
          x={first * barWidth}
          width={(last - first + 1) * barWidth}
          height={height}
          className="fill-accent-soft"
        />
      )}
      {buckets.map((bucket, index) => (
        <Bar key={bucket.from} bucket={bucket} x={index * barWidth} highest={highest} />
      ))}
    </svg>
  )
}

function Bar({ bucket, x, highest }: { bucket: Bucket; x: number; highest: number }) {
  const scale = (height - 2) / highest
  const failed = bucket.failed * scale
  const failing = bucket.failing * scale
  const open = bucket.open * scale
  const succeeded = bucket.succeeded * scale
  const base = height - 1
  const width = barWidth - 1
  return (
    <g>
      <rect x={x} y={base} width={width} height={1} className="fill-line" />
      <rect x={x} y={base - failed} width={width} height={failed} className="fill-bad" />
      <rect
        x={x}
        y={base - failed - failing}
        width={width}
        height={failing}
        className="fill-warn"
      />
      <rect
        x={x}
        y={base - failed - failing - open}
        width={width}
        height={open}
        className="fill-accent"
      />
      <rect
        x={x}
        y={base - failed - failing - open - succeeded}
        width={width}
        height={succeeded}
        className="fill-ok"
      />
    </g>
  )
}
