import { findKey } from '../../../../server/contract/query/query-keys.ts'
import { type QueryTerm, readTerms } from '../../../../server/contract/query/read-terms.ts'

/** Offered words; those of one key exclude each other. */
export const offeredWords = [
  'is:refused',
  'status:4xx',
  'status:5xx',
  'method:POST',
  'route:/oauth/*',
  'from:5m',
  'from:1h',
] as const
export type OfferedWord = (typeof offeredWords)[number]

export function chosenWords(query: string): OfferedWord[] {
  const words = new Set(readTerms(query).map(plainWord))
  return offeredWords.filter((word) => words.has(word))
}

/** Sets the offered words of a query; one that has the same key as another replaces it. */
export function withOffered(query: string, chosen: readonly OfferedWord[]): string {
  const before = chosenWords(query)
  const added = chosen.filter((word) => !before.includes(word))
  const keys = new Set(added.map((word) => word.split(':', 1)[0]))
  const kept = readTerms(query).filter((term) => {
    const word = offeredWords.find((offered) => offered === plainWord(term))
    return (
      (word === undefined || chosen.includes(word)) && !(isPlain(term) && keys.has(keyOf(term)))
    )
  })
  return [...kept.map(({ start, end }) => query.slice(start, end)), ...added].join(' ')
}

/** Word without alias and quotes: `last 5m` is `from:5m`. */
function plainWord(term: QueryTerm): string {
  return `${term.negated ? '-' : ''}${keyOf(term) ?? ''}:${term.values.map(({ text }) => text).join(',')}`
}

function isPlain({ negated }: QueryTerm): boolean {
  return !negated
}

function keyOf({ key }: QueryTerm): string | undefined {
  return key === undefined ? undefined : findKey('requests', key)?.[0]
}
