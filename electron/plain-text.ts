/**
 * Shortens untrusted text to one line: a name in a dialog or notification must not look like more than
 * a name.
 * @param longest in characters
 */
export function plainLine(text: string, longest: number): string {
  const line = text.replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  const characters = Array.from(line)
  return characters.length > longest ? `${characters.slice(0, longest - 1).join('')}…` : line
}
