/**
 * Splits a text into tokens: up to six characters of a word with the spaces before them. They count the usage and are the
 * parts of a stream; joined, they are the text.
 */
export function tokensOf(text: string): string[] {
  return text.match(/\s{0,20}\S{1,6}|\s{1,20}/gu) ?? []
}
