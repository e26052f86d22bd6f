import type { Flag, Starter } from '../../contract/flags.ts'
import { isRepeatable, schemaOf } from './flag-kind.ts'

/** Returns the default value of a flag, if it has one. */
export function defaultOf(flag: Flag, starter: Starter): unknown {
  return (starter === 'inProcess' ? flag.inProcess : undefined) ?? schemaOf(flag).default
}

/** Returns the default of a flag in words, if it is worth printing. */
export function defaultInWords(flag: Flag, starter: Starter): string | undefined {
  const { unsaid } = flag
  const words = typeof unsaid === 'object' ? unsaid[starter] : unsaid
  if (words !== undefined) return words
  const value = defaultOf(flag, starter)
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Returns the description of a flag for the help and the documentation. */
export function helpOf(flag: Flag): string {
  const { description = '', enum: choices } = schemaOf(flag)
  return [
    flag.help ?? description,
    ...(choices === undefined ? [] : [`: ${choices.join(', ')}`]),
    ...(isRepeatable(flag) ? ['; repeatable'] : []),
    inBrackets(flag.bare ?? defaultInWords(flag, 'commandLine')),
  ].join('')
}

function inBrackets(words: string | undefined): string {
  if (words === undefined) return ''
  return ` (default${words.includes(' ') ? ':' : ''} ${words})`
}
