import type { FlowStep } from '../../../../../server/contract/control-flows.ts'
import { formatSince } from '../../model/flow-time.ts'
import {
  gutter,
  hasCountdown,
  heightOf,
  isWide,
  type Drawing,
  type DrawnStep,
  type TextBlock,
} from './layout.ts'
import type { Palette } from './palette.ts'
import { PollRuler } from './poll-ruler.tsx'
import { ExpiryText, RunningTook } from './running-text.tsx'
import { TextLines } from './text-lines.tsx'

interface ShapeProps {
  drawn: DrawnStep
  palette: Palette
}

interface StepShapeProps extends ShapeProps {
  width: number
  /** Printed: nothing is animated. */
  isStill?: boolean
}

/** Draws one step of a flow, from the top of its row, by the layout. */
export function StepShape({ drawn, palette, width, isStill = false }: StepShapeProps) {
  const { step, label, meta, note } = drawn
  const tone = toneOf(step, palette)
  const isBand = isWide(step)
  return (
    <g>
      <text
        x={gutter - 10}
        y={drawn.lineY + 4}
        textAnchor="end"
        fontSize={11}
        fill={palette.muted}
        fontFamily="ui-monospace, monospace"
      >
        {formatSince(step.sinceMs)}
      </text>
      {isBand && <Band drawn={drawn} palette={palette} width={width} />}
      {step.kind === 'waiting' && <WaitingBar drawn={drawn} palette={palette} />}
      {step.kind === 'polls' && <PollRuler drawn={drawn} palette={palette} />}
      {step.kind === 'message' && <Arrow drawn={drawn} palette={palette} />}
      <TextLines
        block={label}
        fill={tone.text}
        italic={step.inferred === true}
        {...(!isBand && { rim: palette.ground })}
      />
      {meta && (
        <TextLines
          block={isStill ? meta : running(step, meta)}
          fill={tone.meta}
          rim={palette.ground}
        />
      )}
      {step.polls && hasCountdown(step) && meta && !isStill && (
        <TextLines
          block={{
            ...meta,
            y: meta.y + heightOf(meta),
            lines: [<ExpiryText key="ends" polls={step.polls} />],
          }}
          fill={palette.accent}
          rim={palette.ground}
        />
      )}
      {note && (
        <>
          <rect
            x={note.left}
            y={note.y}
            width={note.width}
            height={note.height}
            rx={7}
            fill={noteFillOf(step, palette)}
          />
          <TextLines block={{ ...note, y: note.y + 6 }} fill={palette.ink} />
        </>
      )}
    </g>
  )
}

/** Running duration of a wait. */
function running({ kind, outcome, tookMs }: FlowStep, meta: TextBlock) {
  return kind === 'waiting' && outcome === 'pending' && tookMs !== undefined
    ? { ...meta, lines: [<RunningTook key="took" tookMs={tookMs} />] }
    : meta
}

function noteFillOf({ outcome, denied }: FlowStep, palette: Palette): string {
  if (denied === true) return palette.line
  return outcome === 'refused' ? palette.badSoft : palette.warnSoft
}

function toneOf({ outcome, denied, inferred }: FlowStep, palette: Palette) {
  if (denied === true) return { text: palette.ink, meta: palette.muted, line: palette.muted }
  if (outcome === 'refused') return { text: palette.bad, meta: palette.bad, line: palette.bad }
  if (outcome === 'broken' || outcome === 'changed')
    return { text: palette.warn, meta: palette.warn, line: palette.warn }
  if (inferred) return { text: palette.muted, meta: palette.muted, line: palette.muted }
  return { text: palette.ink, meta: palette.muted, line: palette.accent }
}

/** Arrow; a refused one ends in a cross, so that colour is not the only sign. */
function Arrow({ drawn, palette }: ShapeProps) {
  const { step, from, to, lineY: y } = drawn
  const { line } = toneOf(step, palette)
  const failed = !step.denied && (step.outcome === 'refused' || step.outcome === 'broken')
  const common = {
    stroke: line,
    strokeWidth: 1.75,
    fill: 'none',
    strokeLinecap: 'round',
    ...(step.inferred && { strokeDasharray: '5 5' }),
  } as const
  if (from === to) {
    const side = drawn.label.anchor === 'start' ? 1 : -1
    const end = from + 4 * side
    return (
      <>
        <path d={`M${from} ${y - 10}h${38 * side}v20H${end}`} {...common} />
        <Head x={end} y={y + 10} side={-side} color={line} failed={failed} />
      </>
    )
  }
  const side = to > from ? 1 : -1
  const end = to - 3 * side
  return (
    <>
      <circle cx={from} cy={y} r={3} fill={line} />
      <path
        d={`M${from} ${y}H${end - 4 * side}`}
        {...common}
        {...(!step.inferred && { className: 'flow-line', pathLength: 1 })}
      />
      <Head x={end} y={y} side={side} color={line} failed={failed} />
    </>
  )
}

interface HeadProps {
  x: number
  y: number
  side: number
  color: string
  failed: boolean
}

function Head({ x, y, side, color, failed }: HeadProps) {
  if (failed) {
    const middle = x - 5 * side
    return (
      <path
        d={`M${middle - 5} ${y - 5}l10 10M${middle + 5} ${y - 5}l-10 10`}
        stroke={color}
        strokeWidth={2.25}
        strokeLinecap="round"
      />
    )
  }
  return <path d={`M${x} ${y}l${-9 * side} -5v10z`} fill={color} />
}

/** Dots on the line of the actor who is waited for. */
function WaitingBar({ drawn, palette }: ShapeProps) {
  const { step, to, height } = drawn
  const waits = step.outcome === 'pending'
  return (
    <>
      <rect
        x={to - 6}
        y={5}
        width={12}
        height={height - 10}
        rx={6}
        fill={palette.accentSoft}
        stroke={waits ? palette.accent : palette.lane}
      />
      <path
        className={waits ? 'pulse-live' : undefined}
        d={`M${to} 13V${height - 12}`}
        stroke={waits ? palette.accent : palette.muted}
        strokeWidth={3}
        strokeLinecap="round"
        strokeDasharray="0 7"
      />
    </>
  )
}

/** Band across all lines: a changed clock, or a gap in the log. */
function Band({ drawn: { step, lineY, label }, palette, width }: Omit<StepShapeProps, 'isStill'>) {
  const isGap = step.kind === 'missing'
  const height = label.lines.length * 18 + 8
  return (
    <rect
      x={gutter}
      y={lineY - height / 2}
      width={width - gutter - 12}
      height={height}
      rx={isGap ? 0 : height / 2}
      fill={isGap ? palette.ground : palette.accentSoft}
      stroke={isGap ? palette.warn : 'none'}
      strokeDasharray="2 5"
    />
  )
}

/** Lines of the actors, behind the steps. */
export function LaneLines({ drawing, palette }: { drawing: Drawing; palette: Palette }) {
  return drawing.lanes.map(({ actor, x }) => (
    <line
      key={actor}
      x1={x}
      x2={x}
      y1={0}
      y2="100%"
      stroke={palette.lane}
      strokeOpacity={0.55}
      strokeDasharray="1 4"
      strokeLinecap="round"
    />
  ))
}
