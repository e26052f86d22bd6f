import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { classNames } from '../../../lib/class-names.ts'
import { LaneHeads } from '../detail/diagram/lane-heads.tsx'
import { type DrawnFlow, type DrawnStep, headHeight, layOut } from '../detail/diagram/layout.ts'
import { measureInBrowser } from '../detail/diagram/measure.ts'
import { themePalette } from '../detail/diagram/palette.ts'
import { LaneLines, StepShape } from '../detail/diagram/step-shape.tsx'

/** Width that the drawing is laid out for, so that its letters grow with the room. */
const layoutWidth = 560
/** Steps before the current one that are drawn at full strength. */
const fresh = 1
/** Steps further back have scrolled away. */
const mostDrawn = 40

interface StageDrawingProps {
  flow: DrawnFlow
  /** Index of the last drawn step. */
  current: number
}

/** Flow up to the current step, as large as the room allows; older steps roll up under the actors. */
export function StageDrawing({ flow, current }: StageDrawingProps) {
  const [setFrame, { width, height }] = useSize()
  const measure = useMemo(() => measureInBrowser(), [])
  const drawing = useMemo(() => layOut(withoutNotes(flow), layoutWidth, measure), [flow, measure])
  const scale = Math.max(0.7, width / layoutWidth)
  const drawn = drawing.steps.slice(0, current + 1)
  const last = drawn.at(-1)
  const end = last === undefined ? 0 : last.top + last.height
  const room = Math.max(0, height / scale - headHeight - 8)
  const rolled = Math.max(0, end - room)
  return (
    <div ref={setFrame} aria-hidden="true" className="relative h-full min-h-0 overflow-hidden">
      {width > 0 && (
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${drawing.width} ${height / scale}`}
          className="flow-drawing absolute inset-0"
        >
          <svg y={headHeight} width={drawing.width} height={room} overflow="hidden">
            <LaneLines drawing={drawing} palette={themePalette} />
            <g className="stage-roll" style={{ translate: `0 ${-rolled}px` }}>
              {drawn.slice(-mostDrawn).map((step) => (
                <Row
                  key={step.step.id}
                  drawn={step}
                  width={drawing.width}
                  isNow={step === last}
                  isFresh={drawn.indexOf(step) >= current - fresh}
                />
              ))}
            </g>
          </svg>
          <LaneHeads drawing={drawing} palette={themePalette} />
        </svg>
      )}
    </div>
  )
}

/** The reason of a refusal is beside the drawing, in larger letters. */
function withoutNotes(flow: DrawnFlow): DrawnFlow {
  return { ...flow, steps: flow.steps.map(({ explanation: _explanation, ...step }) => step) }
}

interface RowProps {
  drawn: DrawnStep
  width: number
  isNow: boolean
  isFresh: boolean
}

function Row({ drawn, width, isNow, isFresh }: RowProps) {
  return (
    <g
      transform={`translate(0 ${drawn.top})`}
      className={classNames(isNow && 'stage-now')}
      opacity={isFresh ? 1 : 0.55}
    >
      {isNow && (
        <rect
          x={4}
          y={2}
          width={width - 8}
          height={drawn.height - 4}
          rx={8}
          fill="var(--accent-soft)"
          fillOpacity={0.45}
        />
      )}
      <StepShape drawn={drawn} palette={themePalette} width={width} isStill={!isNow} />
      {isNow && drawn.from !== drawn.to && drawn.step.kind === 'message' && (
        <Traveller drawn={drawn} />
      )}
    </g>
  )
}

/** Dot that travels with the arrow. */
function Traveller({ drawn: { from, to, lineY, step } }: { drawn: DrawnStep }) {
  const failed = !step.denied && (step.outcome === 'refused' || step.outcome === 'broken')
  return (
    <circle
      className="stage-traveller"
      cx={to}
      cy={lineY}
      r={6}
      fill={failed ? themePalette.bad : themePalette.accent}
      style={{ '--way': `${from - to}px` }}
    />
  )
}

/** Size of an element in pixels. */
function useSize() {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [size, setSize] = useState({ width: 0, height: 0 })
  const latest = useRef(size)
  useLayoutEffect(() => {
    if (!element) return undefined
    const measure = () => {
      const { clientWidth: width, clientHeight: height } = element
      if (latest.current.width === width && latest.current.height === height) return
      latest.current = { width, height }
      setSize(latest.current)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return [setElement, size] as const
}
