/** What is written in a drawing, in pixels of 100 %. */
export const fonts = {
  head: { size: 13, weight: 600, lineHeight: 18, mono: false },
  label: { size: 13, weight: 550, lineHeight: 18, mono: false },
  meta: { size: 11, weight: 400, lineHeight: 15, mono: true },
  note: { size: 12, weight: 400, lineHeight: 17, mono: false },
} as const
export type FontName = keyof typeof fonts

/** Width of a text in pixels of 100 %. */
export type Measure = (text: string, font: FontName) => number

/** Widths that were asked for, by font and text: names repeat, from one flow to the next as well. */
const known = new Map<string, number>()
/** More are texts that somebody made up, each another. */
const mostKnown = 5000

/** Widths as the browser draws them; each is asked once. */
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

/** The longest beginning that fits: whole words, or what fits of the first. */
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

/** How many characters from the start fit; at least one, or nothing would ever be drawn. */
function longestFitting(text: string, fits: (line: string) => boolean): number {
  let low = 1
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(text.slice(0, middle))) low = middle
    else high = middle - 1
  }
  // Not between the halves of a character beyond the first 65,536.
  const isHalf = /[\uD800-\uDBFF]/u.test(text.charAt(low - 1)) && low < text.length
  return isHalf ? Math.max(low - 1, Math.min(2, text.length)) : low
}
