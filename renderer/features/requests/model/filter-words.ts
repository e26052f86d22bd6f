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

/** Offered words of a list of requests to models. */
export const wordsForModels = [
  'is:refused',
  'status:4xx',
  'status:5xx',
  'rule:0',
  'from:5m',
  'from:1h',
] as const

export function chosenWords(offered: readonly string[], query: string): string[] {
  const words = new Set(readTerms(query).map(plainWord))
  return offered.filter((word) => words.has(word))
}

/** Sets the offered words of a query; one that has the same key as another replaces it. */
export function withOffered(
  offered: readonly string[],
  query: string,
  chosen: readonly string[],
): string {
  const before = chosenWords(offered, query)
  const added = chosen.filter((word) => !before.includes(word))
  const keys = new Set(added.map((word) => word.split(':', 1)[0]))
  const kept = readTerms(query).filter((term) => {
    const word = offered.find((one) => one === plainWord(term))
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
