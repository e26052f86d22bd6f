import type { FlowDetail, FlowStep } from '../../../../server/contract/control-flows.ts'
import type { FlowActor } from '../../../../server/contract/words/sandbox-words.ts'
import { plural } from '../../../lib/format.ts'
import { lookOfStep } from '../../../shared/flow-looks.ts'
import { formatLength, formatSince } from './flow-time.ts'
import { plainText } from './plain-text.ts'
import { actorNames, words } from '../words.ts'

export type NameOf = (actor: FlowActor) => string

/** The names above the lines of a drawing. */
export function namesOf({ actors }: Pick<FlowDetail, 'actors'>): NameOf {
  const names = new Map(actors.map(({ actor, name }) => [actor, plainText(name)]))
  return (actor) => names.get(actor) ?? actorNames[actor]
}

/** Text of a step; the texts of all steps tell the flow. */
export function describeStep(step: FlowStep, nameOf: NameOf): string {
  const { explanation } = step
  return [headline(step, nameOf), ...ending(step), ...(explanation ? [plainText(explanation)] : [])]
    .map((sentence) => (/[.!?…]$/u.test(sentence) ? sentence : `${sentence}.`))
    .join(' ')
}

function headline(step: FlowStep, nameOf: NameOf): string {
  const { kind, inferred, sinceMs } = step
  const name = plainText(step.name)
  const from = nameOf(step.from)
  const to = step.from === step.to ? undefined : nameOf(step.to)
  if (kind === 'clock') return name
  if (kind === 'missing') return `Missing: ${name}`
  if (kind === 'waiting')
    return to === undefined ? `${from} waits: ${name}` : `${from} waits for ${to}: ${name}`
  const way = to === undefined ? from : `${from} to ${to}`
  if (kind === 'polls') return `${way}: ${name}`
  return `${way}: ${name}, after ${formatSince(sinceMs).slice(1)}` + (inferred ? ', inferred' : '')
}

function ending(step: FlowStep): string[] {
  const { kind, outcome, status, error, tookMs, polls } = step
  if (kind === 'waiting') {
    return tookMs === undefined
      ? []
      : [outcome === 'pending' ? words.soFar(formatLength(tookMs)) : formatLength(tookMs)]
  }
  if (polls !== undefined) {
    return [
      `${plural(polls.count, 'poll')}, one every ${polls.intervalSeconds} s: ${countResponses(step)}`,
    ]
  }
  const code = [status === 0 ? 'connection cut' : status, error].filter(Boolean).join(' ')
  if (outcome === 'ok') return code ? [`Status ${code}`] : []
  const { word } = lookOfStep(step)
  return [`${word.charAt(0).toUpperCase()}${word.slice(1)}${code ? `: ${code}` : ''}`]
}

/** Counts of the listed polls: `11 × authorization_pending, 1 × slow_down`. */
export function countResponses({ polls }: FlowStep): string {
  const counts = new Map<string, number>()
  for (const { answer } of polls?.list ?? []) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  return [...counts].map(([answer, count]) => `${count} × ${plainText(answer)}`).join(', ')
}
