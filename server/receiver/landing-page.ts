import { createHash } from 'node:crypto'
import type { Reception } from './receptions.ts'
import { own } from '../core/own.ts'

/** Response of `GET /webhooks`, also shown on the landing page. */
export interface Summary {
  secret: 'required' | 'none'
  hubUrl: string
  endpoints: { name: string; url: string }[]
  /** Newest first, at most 20. */
  receptions: Omit<Reception, 'repo'>[]
}

const pageStyle = `
:root { color-scheme: light dark; --line: #d0d7de; --soft: #f6f8fa; --bad: #b42318; --good: #067647 }
@media (prefers-color-scheme: dark) {
  :root { --line: #3d444d; --soft: #161b22; --bad: #ff8a80; --good: #7ee2a8 }
}
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
code, pre { font: .875rem/1.5 ui-monospace, monospace }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .75rem;
  overflow-x: auto; user-select: all }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line) }
.bad { color: var(--bad) } .good { color: var(--good) }
`

const hash = createHash('sha256').update(pageStyle).digest('base64')

/** The page loads and runs nothing; its style sheet is allowed by a hash. */
export const landingPageCsp = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

/** Renders the page with instructions for the registered webhooks. */
export function landingPage(summary: Summary): string {
  const { endpoints, receptions } = summary
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Webhook receiver</title>
<style>${pageStyle}</style>
</head>
<body>
<main>
<h1>Webhook receiver</h1>
<p>A webhook calls this server on every change in the repositories that it watches.</p>
${secretNotice(summary)}
<h2>Endpoints: ${endpoints.length}</h2>
${endpoints.length === 0 ? '<p>No endpoints yet.</p>' : ''}
${endpoints.map((endpoint) => endpointSection(summary, endpoint)).join('\n')}
<h2>Last deliveries</h2>
${receptions.length === 0 ? '<p>No deliveries yet.</p>' : receptionTable(receptions)}
</main>
</body>
</html>
`
}

function secretNotice({ secret }: Summary): string {
  return secret === 'required'
    ? '<p class="good">A secret is defined: only deliveries that carry it are accepted.</p>'
    : '<p class="bad"><strong>No secret is defined: everybody may post here.</strong> Set <code>WEBHOOK_SECRET</code>, and the same value in the settings of the webhook.</p>'
}

function endpointSection(summary: Summary, { name, url }: Summary['endpoints'][number]): string {
  const form = `${summary.hubUrl}/settings/webhooks?url=${encodeURIComponent(url)}`
  const curl = [
    `curl -X POST ${shellQuote(url)}`,
    `  -H 'Content-Type: application/json'`,
    ...(summary.secret === 'required' ? [`  -H "X-Webhook-Secret: $WEBHOOK_SECRET"`] : []),
    `  -d @payload.json`,
  ].join(' \\\n')
  return `<section>
<h3><code>POST ${escape(url)}</code></h3>
<p><a href="${escape(form)}">Create a webhook for ${escape(name)}</a>, or send it a payload yourself:</p>
<pre>${escape(curl)}</pre>
</section>`
}

function receptionTable(receptions: Summary['receptions']): string {
  const rows = receptions.map(({ at, endpoint, status, durationMs, ...rest }) => {
    const what = rest.scope === undefined ? '' : `${rest.scope}.${rest.action}`
    const note = rest.error ?? (rest.duplicate === true ? 'duplicate' : '')
    const tone = status < 300 ? 'good' : 'bad'
    return `<tr><td><time datetime="${escape(at)}">${escape(at)}</time></td><td>${escape(endpoint)}</td><td>${escape(what)}</td><td class="${tone}">${status}</td><td>${durationMs} ms</td><td>${escape(note)}</td></tr>`
  })
  return `<table>
<thead><tr><th>Time</th><th>Endpoint</th><th>Event</th><th>Status</th><th>Took</th><th>Note</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`
}

const htmlEntities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => own(htmlEntities, character) ?? character)
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
