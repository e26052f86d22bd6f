/** Up to six characters of a word with the spaces before them. */
const tokenPattern = /\s{0,20}\S{1,6}|\s{1,20}/gu

/**
 * Yields the tokens of a text: they are the parts of a stream; joined, they are the text. They are made one by one, since a
 * text of 1 MB has half a million.
 */
export function* tokensOf(text: string): Generator<string, void, undefined> {
  for (const [token] of text.matchAll(tokenPattern)) yield token
}

/** Counts the tokens of a text, for its usage. */
export function countTokens(text: string): number {
  return firstTokens(text, Infinity).count
}

/** Returns the beginning of a text with at most so many tokens. */
export function firstTokens(text: string, most: number): { start: string; count: number } {
  const pattern = new RegExp(tokenPattern)
  let count = 0
  let end = 0
  while (count < most && pattern.test(text)) {
    count += 1
    end = pattern.lastIndex
  }
  return { start: text.slice(0, end), count }
}
