import {
  filterWord,
  type RequestFilterKey,
  splitFilter,
  unquote,
} from '../../../../server/contract/request-filter.ts'

/** Offered words; those in one row exclude each other. */
export const offeredWords = [
  'is:refused',
  'status:4xx',
  'status:5xx',
  'method:POST',
  'route:/oauth/*',
  'last 5m',
  'last 1h',
] as const
export type OfferedWord = (typeof offeredWords)[number]

export function chosenWords(line: string): OfferedWord[] {
  const words = new Set(splitFilter(line))
  return offeredWords.filter((word) => words.has(word))
}

/** Sets the offered words of a line; one that has the same key as another replaces it. */
export function withOffered(line: string, chosen: readonly OfferedWord[]): string {
  const before = chosenWords(line)
  const added = chosen.filter((word) => !before.includes(word))
  const keys = new Set(added.map(keyOf))
  const kept = splitFilter(line).filter(
    (word) => !isOffered(word) || (chosen.includes(word) && !keys.has(keyOf(word))),
  )
  return [...kept.filter((word) => !keys.has(keyOf(word))), ...added].join(' ')
}

/** Value of a key without its quotes; empty if the line does not have it. */
export function valueOf(line: string, key: RequestFilterKey): string {
  const word = splitFilter(line).find((one) => one.startsWith(`${key}:`))
  return word === undefined ? '' : unquote(word.slice(key.length + 1))
}

/** Sets the value of a key, or removes the key if the value is empty. */
export function withValue(line: string, key: RequestFilterKey, value: string): string {
  const others = splitFilter(line).filter((word) => !word.startsWith(`${key}:`))
  return [...others, ...(value === '' ? [] : [filterWord(key, value)])].join(' ')
}

/** Tells whether a text contains a Hub token or a JWT, which must not be in a URL. */
export function holdsSecret(line: string): boolean {
  return /\bhf_\w{8,}/.test(line) || /\beyJ[\w-]{8,}/.test(line)
}

function keyOf(word: string): string {
  return word.startsWith('last ') ? 'last' : (word.split(':', 1)[0] ?? '')
}

function isOffered(word: string): word is OfferedWord {
  return offeredWords.some((offered) => offered === word)
}
