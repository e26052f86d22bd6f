import { findKey, queryKeys, type QueryList } from '../../../server/contract/query/query-keys.ts'
import { queryWord, readTerms } from '../../../server/contract/query/read-terms.ts'

/** Completion of the word at the caret. */
export interface Completion {
  /** Shown and inserted: `status:` or `status:4xx`. */
  word: string
  /** Values of a key, or the meaning of a value. */
  help?: string
  /** Query with the word, and the caret after it. */
  text: string
  caret: number
}

const mostCompletions = 8

/**
 * Lists completions of the word that ends at the caret: keys, or the values of its key.
 * @param known returns the names that exist for a key
 */
export function completeQuery(
  list: QueryList,
  text: string,
  caret: number,
  known: (key: string) => readonly string[] | undefined,
): Completion[] {
  const term = readTerms(text.slice(0, caret)).find(({ end }) => end === caret)
  const start = term?.start ?? caret
  const sign = term?.negated === true ? '-' : ''
  const end = endOfWord(text, caret)
  const completed = (word: string, space: string, help?: string): Completion => ({
    word,
    ...(help !== undefined && { help }),
    text: `${text.slice(0, start)}${sign}${word}${space}${text.slice(end).trimStart()}`,
    caret: start + sign.length + word.length + space.length,
  })
  if (term?.key === undefined) {
    const typed = term?.values[0]?.text.toLowerCase() ?? ''
    return Object.entries(queryKeys[list])
      .filter(([key]) => key.startsWith(typed))
      .map(([key, { help }]) => completed(`${key}:`, '', help))
  }
  const found = findKey(list, term.key)
  if (found === undefined) return []
  const [key, { offers = [], known: own = [] }] = found
  const typed = (term.values.at(-1)?.text ?? '').toLowerCase()
  return [...new Set([...(known(key) ?? own), ...offers])]
    .filter((value) => value !== '' && value.toLowerCase().includes(typed))
    .slice(0, mostCompletions)
    .map((value) => completed(queryWord(key, value), ' '))
}

/** The rest of a word behind the caret is replaced with it. */
function endOfWord(text: string, caret: number): number {
  return readTerms(text).find(({ start, end }) => start < caret && caret <= end)?.end ?? caret
}
