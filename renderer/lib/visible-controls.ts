/**
 * Shows characters that reorder other text by their numbers, as JSON writes them: otherwise a line of foreign text reads as
 * another one ("Trojan Source").
 */
export function visibleControls(text: string): string {
  return text.replaceAll(
    /\p{Bidi_Control}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
