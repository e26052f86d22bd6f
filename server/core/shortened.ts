import { beginningOf } from './encode-text.ts'

/** Longest message to people, in characters. It may quote input of any size. */
export const longestMessage = 4 * 1024

/** Longest host or origin to quote: a name has at most 253 characters (RFC 1035), its scheme and port a few more. */
export const longestHost = 300

/**
 * Cuts a text to a length, with a note of how much is missing. The result is a copy, because a slice would keep the
 * whole string in memory.
 */
export function shortened(text: string, length: number = longestMessage): string {
  if (text.length <= length) return text
  const start = Buffer.from(beginningOf(text, length)).toString()
  return `${start}… (${text.length - length} more characters)`
}
