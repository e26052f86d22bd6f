/** The words of a filter that say when; see {@link parseFilter}. */
const spanWord = /^(after|before):/

const wordsOf = (text: string) => text.split(/\s+/).filter(Boolean)

export function hasSpan(text: string): boolean {
  return wordsOf(text).some((word) => spanWord.test(word))
}

/** The filter without its limits in time. */
export function withoutSpan(text: string): string {
  return wordsOf(text)
    .filter((word) => !spanWord.test(word))
    .join(' ')
}

/** The filter with these limits in place of its own, both in milliseconds since 1970 and included. */
export function withSpan(text: string, from: number, to: number): string {
  const after = new Date(Math.floor(from)).toISOString()
  const before = new Date(Math.ceil(to)).toISOString()
  return `${withoutSpan(text)} after:${after} before:${before}`.trimStart()
}
