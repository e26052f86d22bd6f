import type { FlowDetail, FlowStep } from '../../../../../server/contract/control-flows.ts'
import type { FlowActor } from '../../../../../server/contract/words/sandbox-words.ts'
import { formatLength } from '../../model/flow-time.ts'
import { plainText } from '../../model/plain-text.ts'
import { countResponses } from '../../model/describe-step.ts'
import { fonts, shortenTo, wrapText, type FontName, type Measure } from './measure.ts'
import { words } from '../../words.ts'

// Layout of a drawn flow in pixels at 100 %; the screen scales it as a whole.

/** Space left of the lines, for the time of each step. */
export const gutter = 68
const edge = 12
export const headHeight = 52
/** Widest useful distance between two lines. */
const widestSpacing = 300
/** Space above the first step, below the last, and around each. */
export const padding = 9

export interface Lane {
  actor: FlowActor
  name: string
  x: number
  /** Width of the box around the name. */
  width: number
}

export interface TextBlock {
  font: FontName
  lines: readonly string[]
  x: number
  /** Top of the first line, from the top of the step. */
  y: number
  anchor: 'start' | 'middle' | 'end'
}

export interface DrawnStep {
  step: FlowStep
  top: number
  height: number
  /** Start and end, from the left. */
  from: number
  to: number
  /** The arrow, bar, ruler or band, from the top of the step. */
  lineY: number
  label: TextBlock
  meta: TextBlock | undefined
  /** Box with the reason of a refusal, or with what is missing. */
  note: (TextBlock & { left: number; width: number; height: number }) | undefined
}

export interface Drawing {
  width: number
  height: number
  lanes: readonly Lane[]
  steps: readonly DrawnStep[]
}

interface Frame {
  left: number
  right: number
  measure: Measure
  laneOf: (actor: FlowActor) => number
}

/** Parts of a flow that are drawn. */
export type DrawnFlow = Pick<FlowDetail, 'actors' | 'steps'>

/** @param width available pixels at 100 % */
export function layOut(flow: DrawnFlow, width: number, measure: Measure): Drawing {
  const lanes = placeLanes(flow, width, measure)
  const places = new Map(lanes.map(({ actor, x }) => [actor, x]))
  const frame: Frame = {
    left: gutter,
    right: width - edge,
    measure,
    laneOf: (actor) => places.get(actor) ?? lanes[0]?.x ?? gutter,
  }
  const steps: DrawnStep[] = []
  let top = padding
  for (const step of flow.steps) {
    const drawn = placeStep(step, top, frame)
    steps.push(drawn)
    top += drawn.height
  }
  return { width, height: top + padding, lanes, steps }
}

function placeLanes({ actors }: DrawnFlow, width: number, measure: Measure): Lane[] {
  const room = width - gutter - edge
  const spacing = Math.min(widestSpacing, room / Math.max(1, actors.length))
  const middle = gutter + room / 2
  return actors.map(({ actor, name }, index) => {
    const most = spacing - 44
    const shown = shortenTo(plainText(name), (text) => measure(text, 'head') <= most)
    return {
      actor,
      name: shown,
      x: Math.round(middle + (index - (actors.length - 1) / 2) * spacing),
      width: Math.ceil(measure(shown, 'head')) + 40,
    }
  })
}

function placeStep(step: FlowStep, top: number, frame: Frame): DrawnStep {
  const from = frame.laneOf(step.from)
  const to = frame.laneOf(step.to)
  const isAside = step.kind === 'waiting' || (step.kind === 'message' && from === to)
  const place = isAside ? placeAside(step, to, frame) : placeAcross(step, from, to, frame)
  const middle = isWide(step) ? (frame.left + frame.right) / 2 : (from + to) / 2
  const note = placeNote(step, middle, place.bottom + (isWide(step) ? 10 : 5), frame)
  return {
    step,
    top,
    height: (note ? note.y + note.height + 4 : place.bottom) + padding,
    from,
    to,
    lineY: place.lineY,
    label: place.label,
    meta: place.meta,
    note,
  }
}

/** Step drawn from edge to edge, because it concerns all actors. */
export function isWide({ kind }: FlowStep): boolean {
  return kind === 'clock' || kind === 'missing'
}

interface Place {
  label: TextBlock
  meta: TextBlock | undefined
  lineY: number
  bottom: number
}

/** Places a step between two lines, its name above the arrow or ruler; a band goes from edge to edge. */
function placeAcross(step: FlowStep, from: number, to: number, frame: Frame): Place {
  const across = isWide(step)
  const middle = across ? (frame.left + frame.right) / 2 : (from + to) / 2
  const width = across ? frame.right - frame.left - 40 : Math.max(Math.abs(to - from) - 24, 210)
  const label = placeText(
    step.name,
    { font: 'label', width, mostLines: 2 },
    middle,
    across ? padding + 4 : padding,
    frame,
  )
  const under = label.y + heightOf(label)
  if (across)
    return { label, meta: undefined, lineY: under - heightOf(label) / 2, bottom: under + 4 }
  const lineY = under + 7
  const below = lineY + (step.kind === 'polls' ? 20 : 6)
  const meta = placeMeta(step, width, middle, below, frame)
  const end = meta ? meta.y + heightOf(meta) : lineY + 10
  return { label, meta, lineY, bottom: hasCountdown(step) ? end + fonts.meta.lineHeight : end }
}

/** Places a step beside one line: a wait, or a message to itself. */
function placeAside(step: FlowStep, lane: number, frame: Frame): Place {
  const isRight = frame.right - lane >= lane - frame.left
  const distance = step.kind === 'waiting' ? 16 : 52
  const x = isRight ? lane + distance : lane - distance
  const width = Math.max(80, (isRight ? frame.right - x : x - frame.left) - 4)
  const anchor = isRight ? 'start' : 'end'
  const text = placeText(step.name, { font: 'label', width, mostLines: 2 }, x, padding + 4, frame)
  const label: TextBlock = { ...text, x, anchor }
  const under = label.y + heightOf(label) + 2
  const small = placeMeta(step, width, x, under, frame)
  const meta: TextBlock | undefined = small && { ...small, x, anchor }
  const bottom = (meta ? meta.y + heightOf(meta) : under) + 4
  return { label, meta, lineY: (padding + bottom) / 2, bottom }
}

/** Limits of a text: font, width and number of lines. */
type Room = Parameters<typeof wrapText>[2]

/** Centers a text on `x`, or as near as the edges allow. */
function placeText(text: string, room: Room, x: number, y: number, frame: Frame): TextBlock {
  const lines = wrapText(plainText(text), frame.measure, room)
  const half = Math.max(0, ...lines.map((line) => frame.measure(line, room.font))) / 2
  const centred = Math.max(frame.left + half, Math.min(frame.right - half, x))
  return { font: room.font, lines, x: Math.round(centred), y: Math.round(y), anchor: 'middle' }
}

function placeMeta(step: FlowStep, width: number, x: number, y: number, frame: Frame) {
  const text = metaOf(step)
  return text === ''
    ? undefined
    : placeText(text, { font: 'meta', width: Math.max(width, 360), mostLines: 2 }, x, y, frame)
}

function placeNote(step: FlowStep, x: number, y: number, frame: Frame): DrawnStep['note'] {
  const text = noteOf(step)
  if (text === undefined) return undefined
  const most = Math.min(440, frame.right - frame.left)
  const room = { font: 'note', width: most - 24, mostLines: 12 } as const
  const lines = wrapText(plainText(text), frame.measure, room)
  const width = Math.ceil(Math.max(...lines.map((line) => frame.measure(line, 'note')))) + 24
  const left = Math.max(frame.left, Math.min(frame.right - width, x - width / 2))
  const block = {
    font: 'note',
    lines,
    x: Math.round(left) + 12,
    y: Math.round(y),
    anchor: 'start',
  } as const
  return { ...block, left: Math.round(left), width, height: heightOf(block) + 12 }
}

/** Tells whether the device code is still valid, so that its remaining time is shown. */
export function hasCountdown({ kind, outcome }: FlowStep): boolean {
  return kind === 'polls' && outcome === 'pending'
}

export function heightOf({ font, lines }: Pick<TextBlock, 'font' | 'lines'>): number {
  return lines.length * fonts[font].lineHeight
}

/** Small text under an arrow. */
export function metaOf(step: FlowStep): string {
  const { kind, status, error, tookMs, outcome, polls } = step
  if (kind === 'clock' || kind === 'missing') return ''
  if (polls !== undefined) return `every ${polls.intervalSeconds} s · ${countResponses(step)}`
  const took = tookMs === undefined ? undefined : formatLength(tookMs)
  const parts = [
    step.inferred && 'inferred',
    status === 0 ? 'cut' : status,
    error,
    took !== undefined && kind === 'waiting' && outcome === 'pending' ? words.soFar(took) : took,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Note of a step that failed or is missing something. */
function noteOf({ kind, outcome, explanation }: FlowStep): string | undefined {
  const isListed = ['refused', 'broken', 'changed'].includes(outcome) || kind === 'missing'
  return isListed ? explanation : undefined
}
