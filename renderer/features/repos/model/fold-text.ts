/** What of a text is shown first: a line may be a million characters long, too. */
const most = { lines: 400, characters: 40_000 }

/**
 * The beginning of a text.
 * @returns `hiddenLines` that the rest has, 0 where all is there or the rest belongs to the last line
 */
export function foldText(text: string): { shown: string; isFolded: boolean; hiddenLines: number } {
  let end = -1
  for (let line = 0; line < most.lines; line++) {
    const next = text.indexOf('\n', end + 1)
    if (next === -1 || next > most.characters) {
      end = Math.min(text.length, most.characters)
      break
    }
    end = next
  }
  // A line break that ends the text begins no other line.
  const isFolded = end < text.length - 1
  const shown = isFolded ? text.slice(0, end) : text
  const hidden = isFolded ? text.slice(end + 1).trimEnd() : ''
  return { shown, isFolded, hiddenLines: hidden === '' ? 0 : hidden.split('\n').length }
}
