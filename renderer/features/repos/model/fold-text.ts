/** Excerpt shown first; a single line may have a million characters. */
const most = { lines: 400, characters: 40_000 }

/**
 * Returns the beginning of a text.
 * @returns `hiddenLines` of the rest; 0 if nothing is hidden or the rest belongs to the last line
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
  // A trailing line break does not begin another line.
  const isFolded = end < text.length - 1
  const shown = isFolded ? text.slice(0, end) : text
  const hidden = isFolded ? text.slice(end + 1).trimEnd() : ''
  return { shown, isFolded, hiddenLines: hidden === '' ? 0 : hidden.split('\n').length }
}
