import type { FlowDetail, FlowStep } from '../../../contract/control-flows.ts'
import type { FlowActor } from '../../../contract/words/sandbox-words.ts'
import { html, type Html } from '../../../core/html.ts'
import { formatMs } from './report-parts.ts'

const laneWidth = 240
const rowHeight = 38
const headHeight = 44
/** Longer texts would run into their neighbours. */
const longestName = 26
const longestText = 40

/** Draws a sign-in as a sequence diagram. The colors come from the stylesheet of the page. */
export function diagramOf({ actors, steps }: Pick<FlowDetail, 'actors' | 'steps'>): Html {
  const lanes = new Map(actors.map(({ actor }, index) => [actor, laneWidth * (index + 0.5)]))
  const width = laneWidth * actors.length
  const height = headHeight + rowHeight * steps.length + 12
  return html`<div class="wide">
    <svg
      viewBox="0 0 ${width} ${height}"
      width="${width}"
      height="${height}"
      role="img"
      aria-label="Sequence diagram; the steps are listed below"
    >
      ${actors.map(
        ({ actor, name }) =>
          html`<text class="actor" x="${lanes.get(actor)}" y="18"
              >${shortened(name, longestName)}</text
            >
            <line
              class="lane"
              x1="${lanes.get(actor)}"
              y1="28"
              x2="${lanes.get(actor)}"
              y2="${height}"
            /> `,
      )}${steps.map((step, index) => row(step, index, lanes, width))}
    </svg>
  </div> `
}

function row(
  step: FlowStep,
  index: number,
  lanes: ReadonlyMap<FlowActor, number>,
  width: number,
): Html {
  const y = headHeight + rowHeight * index + 22
  const from = lanes.get(step.from) ?? 0
  const to = lanes.get(step.to) ?? 0
  const label = shortened(`${index + 1}. ${step.name} ${endingOf(step)}`.trimEnd(), longestText)
  const tone = toneOf(step)
  if ((step.kind !== 'message' && step.kind !== 'polls') || from === to) {
    return html`<text class="note ${tone}" x="${width / 2}" y="${y - 4}">${label}</text> `
  }
  const side = to > from ? -7 : 7
  const dashed = step.inferred === true ? ' inferred' : ''
  return html`<text class="${tone}" x="${(from + to) / 2}" y="${y - 6}">${label}</text>
    <line class="arrow ${tone}${dashed}" x1="${from}" y1="${y}" x2="${to}" y2="${y}" />
    <path class="tip ${tone}" d="M${to} ${y}l${side} -4v8z" /> `
}

export function toneOf({ outcome, changes, denied }: FlowStep): 'ok' | 'warn' | 'bad' | 'plain' {
  // As the sign-in itself: a user may deny.
  if (denied === true) return 'plain'
  if (outcome === 'refused' || outcome === 'broken') return 'bad'
  if (outcome === 'pending' || (changes?.length ?? 0) > 0) return 'warn'
  return 'plain'
}

/** Returns the result of a step: `400 invalid_grant`. */
export function endingOf({ kind, status, error, inferred, tookMs, polls }: FlowStep): string {
  if (inferred === true) return '(not recorded)'
  if (kind === 'waiting') return formatMs(tookMs ?? 0)
  if (polls !== undefined) return `× ${polls.count}`
  if (status === 0) return 'cut'
  return [status, error].filter((part) => part !== undefined).join(' ')
}

function shortened(text: string, most: number): string {
  const characters = Array.from(text)
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
