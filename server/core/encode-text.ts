const halves = /\p{Cs}/gu

/** Whether it holds half a character (an unpaired surrogate): JSON can name one, UTF-8 has none. */
export function hasHalfCharacter(text: string): boolean {
  return text.search(halves) >= 0
}

/** The first characters of a text, as JavaScript counts them, or one less where the last would be cut in half. */
export function beginningOf(text: string, length: number): string {
  const cut = text.slice(0, length)
  return /[\uD800-\uDBFF]$/u.test(cut) ? cut.slice(0, -1) : cut
}

/**
 * A text from outside as a part of an address. At half a character, where `encodeURIComponent` throws, this writes
 * U+FFFD, as every other way out does.
 */
export function encodeText(text: string): string {
  return encodeURIComponent(text.replaceAll(halves, '\uFFFD'))
}
