import type { AttemptItem } from '../../../contract/control-deliveries.ts'
import { shownWordOf } from '../../../contract/delivery-result.ts'
import { plainWord, type ShownDeliveryWord } from '../../../contract/words/webhook-words.ts'
import { html, type Html } from '../../../core/html.ts'
import type { DeliveryEvidence } from './report-evidence.ts'
import { anchor, badge, facts, formatMs, message, type Tone } from './report-parts.ts'

const tones: Readonly<Partial<Record<ShownDeliveryWord, Tone>>> = {
  succeeded: 'ok',
  failed: 'bad',
  failing: 'warn',
}

/** Renders a delivery: state, every attempt, and the payload. */
export function deliverySection({ delivery, webhook }: DeliveryEvidence): Html {
  const { id, scope, action, repo, repoType, explanation, attempts, payload } = delivery
  const word = shownWordOf(delivery)
  return html`<section id="${anchor('delivery', id)}">
    <h2>Delivery ${id} ${badge(plainWord(word), tones[word] ?? 'plain')}</h2>
    <p class="lead">${scope} ${action} of ${repo} to ${webhook}</p>
    ${explanation !== undefined && html`<p>${explanation}</p>`}
    ${facts([
      ['Webhook', delivery.webhookId],
      ['Event', delivery.eventId],
      ['Webhook-Id', delivery.messageId],
      ['Repo', `${repoType} ${repo}`],
      ['Watched as', delivery.matchedBy],
      ['Reason', delivery.reason],
      ['Created', delivery.createdAt],
      ['Finished', delivery.finishedAt],
      ['Next attempt', delivery.nextRetryAt],
      ['Cancelled because', delivery.cancelledBecause],
      ['Copy of', delivery.derivedFrom],
    ])}
    <ol class="steps">
      ${attempts.map(attemptItem)}
    </ol>
    ${
      typeof payload === 'string' &&
      html`<details>
        <summary>Payload</summary>
        <pre>${payload}</pre>
      </details>`
    }
  </section> `
}

function attemptItem(attempt: AttemptItem): Html {
  const { number, source, at, outcome, status, error, note, explanation, timings = {} } = attempt
  const { durationMs, jobId, request, response } = attempt
  const tone = outcome === 'succeeded' ? 'ok' : outcome === 'failed' ? 'bad' : 'plain'
  return html`<li>
    <h3>Attempt ${number} ${badge(outcome ?? 'in flight', tone)}</h3>
    ${[error?.message, explanation, note].map((text) => text !== undefined && html`<p>${text}</p>`)}
    ${facts([
      ['Source', source],
      ['Start', at],
      ['Status', status === undefined ? undefined : String(status)],
      ['Duration', durationMs === undefined ? undefined : formatMs(durationMs)],
      ['Job', jobId],
      ...Object.entries(timings).map(([phase, ms]) => [phase.slice(0, -2), formatMs(ms)] as const),
    ])}${request && message('Request', `${request.method} ${request.url}`, { ...request, truncated: false })}${
      response && message('Response', String(response.status), response)
    }
  </li> `
}
