import type { Flag, Starter } from '../contract/flags.ts'
import { isRepeatable, schemaOf } from './flag-kind.ts'

/** What a flag is when nobody says; `undefined` where that is no value. */
export function defaultOf(flag: Flag, starter: Starter): unknown {
  return (starter === 'inProcess' ? flag.inProcess : undefined) ?? schemaOf(flag).default
}

/** What counts when nobody says, in words; `undefined` where that goes without saying. */
export function defaultInWords(flag: Flag, starter: Starter): string | undefined {
  const { unsaid } = flag
  const words = typeof unsaid === 'object' ? unsaid[starter] : unsaid
  if (words !== undefined) return words
  const value = defaultOf(flag, starter)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** What the help and the README say of a flag. */
export function helpOf(flag: Flag): string {
  const { description = '', enum: choices } = schemaOf(flag)
  const text = flag.help ?? description
  return [
    text.charAt(0).toLowerCase() + text.slice(1),
    ...(choices === undefined ? [] : [`: ${choices.join(', ')}`]),
    ...(isRepeatable(flag) ? ['; repeatable'] : []),
    inBrackets(flag.bare ?? defaultInWords(flag, 'commandLine')),
  ].join('')
}

function inBrackets(words: string | undefined): string {
  if (words === undefined) return ''
  return ` (default${words.includes(' ') ? ':' : ''} ${words})`
}
