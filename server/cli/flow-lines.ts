import type { FlowDetail, FlowStep } from '../contract/control-flows.ts'
import { resultOf } from '../contract/flow-result.ts'
import type {
  FlowActor,
  FlowKind,
  FlowResult,
  FlowStepOutcome,
} from '../contract/words/sandbox-words.ts'
import { oneLine } from '../core/terminal-text.ts'
import type { Paint } from './paint.ts'
import { padShown, shortenShown, shownWidth } from '../core/shown-width.ts'
import { wrap } from '../core/wrap.ts'

export interface FlowLinesOptions {
  /** Characters of a line; less than 40 count as 40. */
  width: number
  paint: Paint
  /** Explain every step, not only failed ones. */
  verbose?: boolean
}

/** Titles of sign-ins by kind of flow. */
const flowTitles: Record<FlowKind, string> = {
  'authorization-code': 'Sign-in with a browser',
  'device-code': 'Device sign-in',
  'token-exchange': 'Token exchange',
  refresh: 'Refresh',
  registration: 'App registration',
  'metadata-document': 'Client metadata document',
}

/** Mark of a sign-in with a response that a fault rule changed. */
const changedByFault = 'changed by a fault'

const resultColours: Record<FlowResult, 'green' | 'yellow' | 'red' | 'dim'> = {
  pending: 'yellow',
  completed: 'green',
  refused: 'red',
  denied: 'dim',
  expired: 'dim',
}

const colours: Record<FlowStepOutcome, 'green' | 'yellow' | 'red'> = {
  ok: 'green',
  pending: 'yellow',
  refused: 'red',
  changed: 'yellow',
  broken: 'red',
}

/** Renders a sign-in as text, one line for each step: time, actors, message and result. */
export function flowLines(flow: FlowDetail, options: FlowLinesOptions): string[] {
  const columns = columnsOf(flow)
  return [
    ...headLines(flow, options),
    ...flow.steps.flatMap((step) => stepLines(step, columns, options)),
    ...noteLines(flow, options),
  ]
}

/** Renders one line for a list: start, kind, user and outcome. */
export function flowSummary(
  flow: Pick<
    FlowDetail,
    | 'id'
    | 'kind'
    | 'app'
    | 'user'
    | 'startedAt'
    | 'outcome'
    | 'denied'
    | 'expired'
    | 'audit'
    | 'explanation'
  >,
): string[] {
  const { id, kind, app, user, startedAt, explanation } = flow
  const who = [user?.username, app?.name].filter((name) => name !== undefined)
  const result = `${resultOf(flow)}${auditMark(flow)}`
  return [id, startedAt, flowTitles[kind], who.join(' at '), result, explanation].map(oneLine)
}

/** Mark of a sign-in that an audit of its app began. */
function auditMark({ audit }: Pick<FlowDetail, 'audit'>): string {
  return audit === true ? ' (audit)' : ''
}

function headLines(flow: FlowDetail, { width, paint }: FlowLinesOptions): string[] {
  const { kind, app, user, changed, explanation } = flow
  const result = resultOf(flow)
  const who = [user?.username, app?.name].filter((name) => name !== undefined).map(oneLine)
  const title = [flowTitles[kind], ...who].join(' · ')
  return [
    `${paint('bold', title)}  ${paint(resultColours[result], result)}${auditMark(flow)}${changed === true ? `  ${paint('yellow', changedByFault)}` : ''}`,
    ...wrapped(explanation, width, 0),
    '',
  ]
}

interface Columns {
  names: ReadonlyMap<FlowActor, string>
  /** Width of both actors and the arrow. */
  width: number
}

/** Maximum length of a name, to keep the arrows aligned. */
const longestActor = 16
const timeWidth = 9

function columnsOf({ actors, steps }: FlowDetail): Columns {
  const names = new Map(
    actors.map(({ actor, name }) => [actor, shortenShown(oneLine(name), longestActor)] as const),
  )
  const widths = steps.map((step) => shownWidth(routeOf(step, names)))
  return { names, width: Math.max(0, ...widths) }
}

function routeOf({ kind, from, to }: FlowStep, names: ReadonlyMap<FlowActor, string>): string {
  if (kind !== 'message' && kind !== 'polls') return '·'
  return `${names.get(from) ?? from} → ${names.get(to) ?? to}`
}

function stepLines(step: FlowStep, columns: Columns, options: FlowLinesOptions): string[] {
  const { paint, verbose = false } = options
  const width = Math.max(options.width, 40)
  const time = `+${formatMs(step.sinceMs)}`.padStart(timeWidth)
  const route = padShown(routeOf(step, columns.names), columns.width)
  const ending = endingOf(step)
  const isQuiet = step.outcome === 'ok' && (step.inferred === true || step.kind !== 'message')
  const name = oneLine(step.name)
  const head = `${paint('dim', time)}  ${route}  ${isQuiet ? paint('dim', name) : name}`
  const isDenied = step.denied === true
  const isBad = !isDenied && (step.outcome === 'refused' || step.outcome === 'broken')
  const isChanged = step.outcome === 'changed'
  const says =
    verbose || isBad || isDenied || isChanged || step.kind === 'polls' || step.kind === 'missing'
  const indent = Math.min(timeWidth + 2 + columns.width + 2, Math.floor(width / 2))
  return [
    ending === ''
      ? head
      : `${head}  ${paint(isDenied ? resultColours.denied : colours[step.outcome], ending)}`,
    ...(says && step.explanation !== undefined
      ? wrapped(step.explanation, width, indent).map((line) =>
          paint(isBad ? 'red' : isChanged ? 'yellow' : 'dim', line),
        )
      : []),
  ]
}

function endingOf(step: FlowStep): string {
  const { kind, status, error, inferred, tookMs, polls, outcome } = step
  if (inferred === true) return '(not recorded)'
  if (kind === 'waiting') return `${formatMs(tookMs ?? 0)}${outcome === 'pending' ? ' so far' : ''}`
  if (polls !== undefined) {
    return `× ${polls.count}, every ${polls.intervalSeconds} s, for ${formatMs(tookMs ?? 0)}`
  }
  const parts = [status === undefined || status === 0 ? '' : String(status), error ?? '']
  return oneLine(parts.filter((part) => part !== '').join(' '))
}

function noteLines({ device, missing }: FlowDetail, { width, paint }: FlowLinesOptions): string[] {
  const notes = [
    ...(device === undefined
      ? []
      : [
          `Pending: enter ${device.userCode} at ${device.verificationUri}`,
          ...(device.unreachable === undefined ? [] : [device.unreachable]),
        ]),
    ...missing,
  ]
  if (notes.length === 0) return []
  return [
    '',
    ...notes.flatMap((note) => wrapped(note, width, 0)).map((line) => paint('yellow', line)),
  ]
}

function wrapped(text: string, width: number, indent: number): string[] {
  const room = Math.max(width, 40) - indent
  return wrap(oneLine(text), room).map((line) => `${' '.repeat(indent)}${line}`)
}

/** Formats a duration: `340 ms`, `2.5 s`, `4 min`. */
function formatMs(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.round(ms / 60_000)} min`
}
