/** Fonts of a drawing, in pixels at 100 %. */
export const fonts = {
  head: { size: 13, weight: 600, lineHeight: 18, mono: false },
  label: { size: 13, weight: 550, lineHeight: 18, mono: false },
  meta: { size: 11, weight: 400, lineHeight: 15, mono: true },
  note: { size: 12, weight: 400, lineHeight: 17, mono: false },
} as const
export type FontName = keyof typeof fonts

/** Width of a text in pixels of 100 %. */
export type Measure = (text: string, font: FontName) => number

/** Cache of widths by font and text; names repeat across flows. */
const known = new Map<string, number>()
/** Limit of the cache. */
const mostKnown = 5000

/** Measures widths in the browser, each once. */
export function measureInBrowser(): Measure {
  const context = document.createElement('canvas').getContext('2d')
  const { fontFamily } = getComputedStyle(document.body)
  return (text, font) => {
    const key = `${font} ${text}`
    const found = known.get(key)
    if (found !== undefined) return found
    const { size, weight, mono } = fonts[font]
    if (context) context.font = `${weight} ${size}px ${mono ? 'monospace' : fontFamily}`
    const width = context?.measureText(text).width ?? text.length * size * 0.6
    if (known.size >= mostKnown) known.clear()
    known.set(key, width)
    return width
  }
}

interface Room {
  font: FontName
  width: number
  mostLines: number
}

/** Breaks a text into lines that fit: between words, inside a word that is too long, and with `…` where lines run out. */
export function wrapText(
  text: string,
  measure: Measure,
  { font, width, mostLines }: Room,
): string[] {
  const fits = (line: string) => measure(line, font) <= width
  const lines: string[] = []
  let rest = text
  while (rest !== '' && lines.length < mostLines) {
    const line = fits(rest) ? rest : takeLine(rest, fits)
    lines.push(line.trimEnd())
    rest = rest.slice(line.length).trimStart()
  }
  if (rest === '') return lines
  const last = `${lines.pop() ?? ''} ${rest}`
  return [...lines, shortenTo(last, fits)]
}

/** Longest beginning that fits: whole words, or part of the first. */
function takeLine(text: string, fits: (line: string) => boolean): string {
  const length = longestFitting(text, fits)
  const space = text.lastIndexOf(' ', length)
  return text.slice(0, space > 0 ? space : length)
}

export function shortenTo(text: string, fits: (line: string) => boolean): string {
  if (fits(text)) return text
  const length = longestFitting(text, (line) => fits(`${line}…`))
  return `${text.slice(0, length).trimEnd()}…`
}

/** Number of characters from the start that fit, at least one. */
function longestFitting(text: string, fits: (line: string) => boolean): number {
  let low = 1
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(text.slice(0, middle))) low = middle
    else high = middle - 1
  }
  // Never splits a surrogate pair.
  const isHalf = /[\uD800-\uDBFF]/u.test(text.charAt(low - 1)) && low < text.length
  return isHalf ? Math.max(low - 1, Math.min(2, text.length)) : low
}
