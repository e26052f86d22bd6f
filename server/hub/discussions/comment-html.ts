import { Marked } from 'marked'
import { escapeHtml } from '../../core/escape-html.ts'

/** Longest text that is rendered as Markdown: nested emphasis of 64 KiB takes the parser 16 seconds. */
const mostRendered = 5000

const markdown = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // Tags in a comment are text: this HTML is shown in pages of other origins.
    html: ({ text }) => escapeHtml(text),
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens)
      return isSafe(href) ? `<a rel="nofollow" href="${escapeHtml(href)}">${text}</a>` : text
    },
    image: ({ href, text }) =>
      isSafe(href) ? `<img src="${escapeHtml(href)}" alt="${escapeHtml(text)}">` : escapeHtml(text),
  },
})

/** Renders a comment as HTML without scripts; a very long one is shown as it was written. */
export function commentHtml(text: string): string {
  if (text.length > mostRendered) return asWritten(text)
  try {
    return markdown.parse(text, { async: false })
  } catch {
    // Thousands of nested quotes exceed the parser's stack.
    return asWritten(text)
  }
}

function asWritten(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`
}

function isSafe(href: string): boolean {
  return /^(?:https?:\/\/|mailto:|[/#?.]|[^:]*$)/i.test(href)
}
