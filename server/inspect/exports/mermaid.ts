import type { FlowDetail, FlowStep } from '../../contract/control-flows.ts'

/** Characters without a meaning in a diagram: all others are escaped by their number. */
const harmless = /^[\p{L}\p{N} .,_/()+=×→’…-]$/u

/** Longer texts make a diagram unreadable. */
const longestText = 300

/**
 * Exports a sign-in as a Mermaid sequence diagram. Unseen messages are dashed, failed ones end in a cross, and polls are
 * one loop.
 */
export function mermaidOf(flow: Pick<FlowDetail, 'actors' | 'steps' | 'explanation'>): string {
  const lines = [
    ...flow.actors.map(({ actor, name }) => `participant ${actor} as ${escapeText(name)}`),
    ...flow.steps.flatMap((step) => statements(step, flow)),
    `Note over ${overAll(flow)}: ${escapeText(flow.explanation)}`,
  ]
  return `${['sequenceDiagram', ...lines.map((line) => `  ${line}`)].join('\n')}\n`
}

function statements(step: FlowStep, flow: Pick<FlowDetail, 'actors'>): string[] {
  const { kind, from, to, name, explanation = '' } = step
  switch (kind) {
    case 'message':
      return messageStatements(step)
    case 'waiting':
      return [`Note over ${from},${to}: ${escapeText(`${name}, ${seconds(step.tookMs ?? 0)} s`)}`]
    case 'polls':
      return [
        `loop ${escapeText(explanation)}`,
        `  ${from}->>${to}: device token request`,
        `  ${to}-->>${from}: ${escapeText(step.polls?.list.at(-1)?.answer ?? '')}`,
        'end',
      ]
    case 'clock':
      return [`Note over ${overAll(flow)}: ${escapeText(name)}`]
    default:
      return [`Note over ${overAll(flow)}: ${escapeText(explanation || name)}`]
  }
}

function messageStatements(step: FlowStep): string[] {
  const { from, to, name, status, error, inferred, outcome, denied, explanation } = step
  const isBad = denied !== true && (outcome === 'refused' || outcome === 'broken')
  const isExplained = isBad || denied === true || outcome === 'changed'
  const arrow = isBad ? '-x' : inferred === true ? '-->>' : '->>'
  const facts = [name, status === undefined ? undefined : String(status), error]
  const text = facts.filter((fact) => fact !== undefined).join(' ')
  return [
    `${from}${arrow}${to}: ${escapeText(text)}`,
    ...(isExplained && explanation !== undefined
      ? [`Note over ${from},${to}: ${escapeText(explanation)}`]
      : []),
  ]
}

function overAll({ actors }: Pick<FlowDetail, 'actors'>): string {
  const ends = [actors[0]?.actor, actors.at(-1)?.actor].filter((actor) => actor !== undefined)
  return [...new Set(ends)].join(',') || 'hub'
}

/** Escapes characters such as `;` as `#59;`, which Mermaid never reads as syntax. */
function escapeText(text: string): string {
  const short = text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text
  const escaped = Array.from(short.replaceAll(/\s+/g, ' ').trim(), (character) =>
    harmless.test(character) ? character : `#${character.codePointAt(0)};`,
  ).join('')
  // The single word "end" would close the block around it.
  return escaped === ''
    ? ' '
    : escaped.replaceAll(/\bend\b/gi, (word) => `${word[0]}#110;${word[2]}`)
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
