import { beginningOf } from './encode-text.ts'

/** Characters of a message to people. It may quote what a client sent, which may be megabytes. */
export const longestMessage = 4 * 1024

/**
 * Text cut to a length, with a note of how much is missing.
 * A slice would keep the whole string in memory, so the cut text is a copy.
 */
export function shortened(text: string, length: number = longestMessage): string {
  if (text.length <= length) return text
  const start = Buffer.from(beginningOf(text, length)).toString()
  return `${start}… (${text.length - length} more characters)`
}
