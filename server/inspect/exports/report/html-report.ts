import { createHash } from 'node:crypto'
import { shownWordOf } from '../../../contract/delivery-result.ts'
import { plainWord } from '../../../contract/words/webhook-words.ts'
import { type Html, html } from '../../../core/html.ts'
import { deliverySection } from './delivery.ts'
import { mapStrings, maskDelivery, type ReportEvidence, visible } from './report-evidence.ts'
import { flowSection } from './flow.ts'
import { anchor } from './report-parts.ts'
import { createRunVerdict } from './run-verdict.ts'
import { requestSection } from './request.ts'
import { reportStyle } from './style.ts'

/** Nothing but this stylesheet is loaded or run. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(reportStyle).digest('base64')}'; base-uri 'none'; form-action 'none'`

/**
 * Renders sign-ins, deliveries and requests as one HTML file that needs no sandbox, no network and no script.
 * @param sweep replaces known secrets in a text; secrets recognized by name or form must be masked in sign-ins and requests
 */
export function writeReport(evidence: ReportEvidence, sweep: (text: string) => string): string {
  const change = (text: string) => visible(sweep(text))
  const flows: Html[] = []
  const deliveries: Html[] = []
  const requests: Html[] = []
  const contents: Html[] = []
  const verdict = createRunVerdict()
  for (const item of evidence.flows) {
    const shown = mapStrings(item, change)
    verdict.addFlow(shown)
    const { id, explanation } = shown.flow
    contents.push(html`<li><a href="#${anchor('flow', id)}">Sign-in ${id}</a>: ${explanation}</li>`)
    flows.push(flowSection(shown))
  }
  for (const item of evidence.deliveries) {
    const shown = mapStrings(maskDelivery(item), change)
    verdict.addDelivery(shown)
    const { id, scope, action } = shown.delivery
    const word = plainWord(shownWordOf(shown.delivery))
    contents.push(
      html`<li>
        <a href="#${anchor('delivery', id)}">Delivery ${id}</a>: ${scope} ${action}, ${word}
      </li>`,
    )
    deliveries.push(deliverySection(shown))
  }
  for (const item of evidence.requests) {
    const shown = mapStrings(item, change)
    verdict.addRequest(shown)
    requests.push(requestSection(shown))
  }
  const { title, madeAt, version, baseUrl, missing } = evidence
  const isRun = contents.length !== 1 || requests.length > 0
  const counts = [
    count(flows, 'sign-in', 'sign-ins'),
    count(deliveries, 'delivery', 'deliveries'),
    count(requests, 'request', 'requests'),
  ].join(', ')
  const body = html`<header>
      <h1>${change(title)}</h1>
      <p class="soft">Sandbox time ${madeAt}. Hub ${change(baseUrl)}. Secrets are masked.</p>
      ${missing.map((sentence) => html`<p class="warn">${sentence}</p>`)}
      ${
        isRun &&
        html`${verdict.render()}
          <details>
            <summary>${counts}</summary>
            <ul class="contents">
              ${contents}${requests.length > 0 && html`<li><a href="#requests">Requests</a></li>`}
            </ul>
          </details>`
      }
    </header>
    <main>
      ${
        isRun
          ? html`${group('sign-ins', 'Sign-ins', flows)}${group('deliveries', 'Deliveries', deliveries)}${group('requests', 'Requests', requests)}`
          : html`${flows}${deliveries}`
      }
    </main>
    <footer>Made by hub-sandbox ${version}.</footer>`
  // Texts are escaped, so each match is a tag.
  const shownBody = isRun ? body.text : body.text.replaceAll('<details>', '<details open>')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${html`${change(title)}`.text}</title>
<style>${reportStyle}</style></head>
<body>${shownBody}</body></html>
`
}

/** Parts of a run are folded: its head says what matters. */
function group(id: string, title: string, items: readonly Html[]): Html {
  if (items.length === 0) return html``
  return html`<details class="group" id="${id}">
    <summary><h2>${title} (${String(items.length)})</h2></summary>
    ${items}
  </details>`
}

function count(items: readonly unknown[], one: string, many: string): string {
  return `${items.length} ${items.length === 1 ? one : many}`
}
