import { escapeHtml } from './escape-html.ts'

/** Text that is HTML already. Only {@link html} makes it, so whatever else lands in a page is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }
}

type Value = Html | string | number | undefined | false | readonly Value[]

function render(value: Value): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(render).join('')
  return escapeHtml(String(value))
}

/** Template tag: escapes every value but HTML; leaves out `undefined` and `false`, joins lists. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part))
}
