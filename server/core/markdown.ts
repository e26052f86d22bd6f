import { cut } from './xml.ts'

/** Longer foreign texts are cut. */
const longest = 400

/** Escapes Markdown, HTML and mentions of users in a foreign text, which becomes one line. */
export function plainMarkdown(text: string): string {
  return cut(oneLine(text), longest)
    .replaceAll(/[\\`*_{}[\]()#+!|~]/g, String.raw`\$&`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '@\u200B')
}

/** Renders a foreign text as code. */
export function codeSpan(text: string): string {
  return `\`${cut(oneLine(text).replaceAll('`', "'"), longest)}\``
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu, ' ').trim()
}
