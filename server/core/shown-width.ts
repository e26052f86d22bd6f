/** Characters of two columns: East Asian wide and full-width letters, and emoji (Unicode annex 11). */
const wide =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f)/u

/** Characters of no width: combining marks and format controls. */
const without = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

const plain = /^[\u0020-\u007e]*$/

let segmenter: Intl.Segmenter | undefined

/** Returns the width of a line in a terminal. */
export function shownWidth(text: string): number {
  if (plain.test(text)) return text.length
  return charactersOf(text).reduce((sum, character) => sum + widthOf(character), 0)
}

/** Pads a text with spaces. */
export function padShown(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - shownWidth(text)))
}

/** Shortens a text to a width, between grapheme clusters. */
export function shortenShown(text: string, width: number): string {
  if (shownWidth(text) <= width) return text
  let kept = ''
  let places = 0
  for (const character of charactersOf(text)) {
    places += widthOf(character)
    if (places > width - 1) break
    kept += character
  }
  return `${kept}…`
}

function charactersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

function widthOf(character: string): number {
  if (without.test(character)) return 0
  return wide.test(character) ? 2 : 1
}
