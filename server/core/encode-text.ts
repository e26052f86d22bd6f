const halves = /\p{Cs}/gu

/** Checks whether the string has an unpaired surrogate, which JSON can express and UTF-8 cannot. */
export function hasHalfCharacter(text: string): boolean {
  return text.search(halves) >= 0
}

/** Returns the first UTF-16 units of a string, one fewer if the last would split a character. */
export function beginningOf(text: string, length: number): string {
  const cut = text.slice(0, length)
  return /[\uD800-\uDBFF]$/u.test(cut) ? cut.slice(0, -1) : cut
}

/**
 * Encodes an untrusted string for a URL. `encodeURIComponent` throws for an unpaired surrogate; this writes U+FFFD, as
 * all other outputs do.
 */
export function encodeText(text: string): string {
  return encodeURIComponent(text.replaceAll(halves, '\uFFFD'))
}
