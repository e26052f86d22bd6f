import { Lexer, Marked } from 'marked'
import { escapeHtml } from '../../core/escape-html.ts'

/** Longest document that is rendered, and longest paragraph: nested emphasis takes the parser quadratic time. */
const longestDocument = 50_000
const longestParagraph = 5000

const markdown = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escapeHtml(text),
    // Below the headings of the page and the panel that show it.
    heading({ tokens, depth }) {
      const level = Math.min(depth + 2, 6)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`
    },
    link({ href, tokens }) {
      return linkTo(href, this.parser.parseInline(tokens))
    },
    // The policy of the dashboard allows no foreign images, which would also report who reads them.
    image: ({ href, text }) => linkTo(href, escapeHtml(text || href)),
  },
})

/**
 * Renders Markdown for the dashboard: without scripts, foreign markup and images; links only to other sites, and in a
 * new tab. What is too long for the parser is shown as it was written.
 */
export function documentHtml(text: string): string {
  if (text.length > longestDocument) return asWritten(text)
  try {
    return markdown.parser(tokensOf(text))
  } catch {
    // Thousands of nested quotes exceed the parser's stack.
    return asWritten(text)
  }
}

/** Splits a document into blocks, and only short blocks further. */
function tokensOf(text: string) {
  const lexer = new Lexer(markdown.defaults)
  const tokens = lexer.blockTokens(text.replaceAll(/\r\n?/g, '\n'), lexer.tokens)
  for (const { src, tokens: parts } of lexer.inlineQueue) {
    if (src.length <= longestParagraph) lexer.inlineTokens(src, parts)
    else parts.push({ type: 'text', raw: src, text: src, escaped: false })
  }
  return tokens
}

function linkTo(href: string, text: string): string {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) return text
  return `<a rel="nofollow noreferrer" target="_blank" href="${escapeHtml(href)}">${text}</a>`
}

function asWritten(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`
}
