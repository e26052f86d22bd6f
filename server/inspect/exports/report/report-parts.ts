import { encodeText } from '../../../core/encode-text.ts'
import { html, type Html } from '../../../core/html.ts'

/** Tone of an outcome. */
export type Tone = 'ok' | 'warn' | 'bad' | 'plain'

/** Renders a word in the color of its tone. */
export function badge(word: string, tone: Tone): Html {
  return html`<span class="badge ${tone}">${word}</span>`
}

/** Renders facts as a definition list, without those that have no value. */
export function facts(
  list: readonly (readonly [name: string, value: Html | string | undefined])[],
): Html {
  const rows = list.flatMap(([name, value]) =>
    value === undefined || value === ''
      ? []
      : [
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
        ],
  )
  return rows.length === 0 ? html`` : html`<dl>${rows}</dl>`
}

/** Renders a table, or nothing without rows. */
export function table(
  caption: string,
  heads: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html {
  if (rows.length === 0) return html``
  return html`<div class="wide">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div> `
}

/** Renders a message as it is on the wire. */
export function message(
  summary: string,
  line: string,
  {
    headers,
    body,
    truncated,
  }: { headers: readonly (readonly string[])[]; body?: string | undefined; truncated: boolean },
): Html {
  const head = [line, ...headers.map(([name = '', value = '']) => `${name}: ${value}`)].join('\n')
  return html`<details>
    <summary>${summary}</summary>
    <pre>${head}${body ? `\n\n${pretty(body)}` : ''}</pre>
    ${truncated && html`<p class="soft">The body was cut.</p>`}
  </details> `
}

/** Indents JSON; other text is unchanged. */
function pretty(text: string): string {
  if (!/^\s*[{[]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** Returns an id for a link within the page. */
export function anchor(kind: 'flow' | 'delivery' | 'request', id: string): string {
  return `${kind}-${encodeText(id)}`
}

/** Formats milliseconds: `0.4 ms`, `340 ms`, `2.5 s`, `4 min`. */
export function formatMs(ms: number): string {
  if (ms < 10) return `${Number(ms.toFixed(1))} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`
  return `${Math.round(ms / 60_000)} min`
}
