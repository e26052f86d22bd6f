import { decidedOfItem, resultOfDelivery } from '../../../contract/delivery-result.ts'
import { resultOf } from '../../../contract/flow-result.ts'
import type { RequestDetail } from '../../../contract/control-requests.ts'
import { html, type Html } from '../../../core/html.ts'
import type { DeliveryEvidence, FlowEvidence } from './report-evidence.ts'
import { anchor, badge, type Tone } from './report-parts.ts'

/** Failures of one reason. */
interface Failure {
  what: string
  reason: string
  /** Ids of elements on the page. */
  anchors: string[]
}

const mostReasons = 30
const mostLinks = 5

/** Totals of a run, filled in while its parts are written. */
export interface RunVerdict {
  addFlow: (item: FlowEvidence) => void
  addDelivery: (item: DeliveryEvidence) => void
  addRequest: (item: RequestDetail) => void
  /** Renders the verdict, three numbers, and what failed with its reason. */
  render: () => Html
}

/** Creates a verdict. Effects of audits, and refusals that a protocol expects, do not count as failures. */
export function createRunVerdict(): RunVerdict {
  const flows = new Map<string, number>()
  const deliveries = new Map<string, number>()
  const requests = new Map<string, number>()
  const failures = new Map<string, Failure>()
  const failedFlows = new Set<string>()

  function note(what: string, reason: string, id: string): void {
    const key = `${what} ${reason}`
    const known = failures.get(key)
    if (known) known.anchors.push(id)
    else failures.set(key, { what, reason, anchors: [id] })
  }

  return {
    addFlow({ flow }) {
      const result = flow.audit === true ? 'of an audit' : resultOf(flow)
      add(flows, result)
      if (result !== 'refused') return
      failedFlows.add(flow.id)
      note('sign-in', flow.explanation, anchor('flow', flow.id))
    },
    addDelivery({ delivery, webhook }) {
      const result = resultOfDelivery(decidedOfItem(delivery))
      add(deliveries, result)
      if (result !== 'failed' && result !== 'failing') return
      const error = delivery.attempts.findLast((attempt) => attempt.error)?.error?.message
      const reason = `${webhook}: ${error ?? delivery.explanation ?? result}`
      note(
        result === 'failing' ? 'failing delivery' : 'delivery',
        reason,
        anchor('delivery', delivery.id),
      )
    },
    addRequest({ id, error, detail, expected, audit, flowId }) {
      const isRefused = error !== undefined && expected !== true && audit !== true
      add(requests, isRefused ? 'refused' : 'answered')
      if (!isRefused || (flowId !== undefined && failedFlows.has(flowId))) return
      note('request', [error, detail].filter(Boolean).join(': '), anchor('request', id))
    },
    render() {
      const counts = { flows, deliveries, requests }
      return html`${verdictLine(counts)}
        <ul class="numbers">
          ${number('Sign-ins', flows)}${number('Deliveries', deliveries)}${number('Requests', requests, 'answered')}
        </ul>
        ${failureList([...failures.values()])}`
    },
  }
}

function add(counts: Map<string, number>, word: string): void {
  counts.set(word, (counts.get(word) ?? 0) + 1)
}

const sumOf = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((sum, count) => sum + count, 0)

type Counts = Readonly<Record<'flows' | 'deliveries' | 'requests', ReadonlyMap<string, number>>>

function verdictLine({ flows, deliveries, requests }: Counts): Html {
  const part = (counts: ReadonlyMap<string, number>, word: string, sentence: string) => {
    const count = counts.get(word) ?? 0
    return count === 0 ? [] : [`${count} of ${sumOf(counts)} ${sentence}`]
  }
  const failed = [
    ...part(flows, 'refused', 'sign-ins refused'),
    ...part(deliveries, 'failed', 'deliveries failed'),
    ...part(requests, 'refused', 'requests refused'),
  ]
  const open = [
    ...part(deliveries, 'failing', 'deliveries failing, with a retry to come'),
    ...part(deliveries, 'pending', 'deliveries pending'),
    ...part(flows, 'pending', 'sign-ins not finished'),
  ]
  const [word, tone]: [string, Tone] =
    failed.length > 0
      ? ['Failed', 'bad']
      : open.length > 0
        ? ['Not finished', 'warn']
        : sumOf(flows) + sumOf(deliveries) === 0
          ? ['Nothing to judge', 'plain']
          : ['Passed', 'ok']
  const sentence = [...failed, ...open].join(', ')
  return html`<p class="verdict">${badge(word, tone)} ${sentence}</p>`
}

/** @param plain result that needs no mention */
function number(name: string, counts: ReadonlyMap<string, number>, plain?: string): Html {
  const parts = [...counts].filter(([word]) => word !== plain)
  return html`<li>
    <b>${String(sumOf(counts))}</b> ${name}<br /><span class="soft"
      >${parts.map(([word, count]) => `${count} ${word.replace('-', ' ')}`).join(', ')}</span
    >
  </li>`
}

function failureList(failures: readonly Failure[]): Html {
  if (failures.length === 0) return html``
  const shown = failures.slice(0, mostReasons)
  return html`<section class="failures">
    <h2>What failed</h2>
    <ul>
      ${shown.map(({ what, reason, anchors }) => {
        const more = anchors.length - mostLinks
        return html`<li>
          <strong>${anchors.length > 1 ? `${anchors.length} × ` : ''}${what}</strong>: ${reason}
          <span class="soft"
            >${anchors
              .slice(0, mostLinks)
              .map(
                (id, index) =>
                  html`<a href="#${id}">${index === 0 ? 'show' : String(index + 1)}</a> `,
              )}${more > 0 && `and ${more} more`}</span
          >
        </li>`
      })}
    </ul>
    ${failures.length > mostReasons && html`<p class="soft">And ${failures.length - mostReasons} more reasons.</p>`}
  </section>`
}
