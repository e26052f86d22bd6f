/** Filter words that limit the time; see {@link parseFilter}. */
const spanWord = /^(after|before):/

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)

export function hasSpan(text: string): boolean {
  return wordsOf(text).some((word) => spanWord.test(word))
}

/** Removes the time limits of a filter. */
export function withoutSpan(text: string): string {
  return wordsOf(text)
    .filter((word) => !spanWord.test(word))
    .join(' ')
}

/** Replaces the time limits of a filter; both are inclusive, in milliseconds since 1970. */
export function withSpan(text: string, from: number, to: number): string {
  const after = new Date(Math.floor(from)).toISOString()
  const before = new Date(Math.ceil(to)).toISOString()
  return `${withoutSpan(text)} after:${after} before:${before}`.trimStart()
}
