import { findKey, type QueryList } from './query-keys.ts'
import { queryWord, readTerms } from './read-terms.ts'

// Changes to a query by controls beside it, such as chips.

/** Returns the value of a key; empty if the query does not have the key, or has several values for it. */
export function valueOfKey(list: QueryList, text: string, key: string): string {
  const terms = readTerms(text).filter((term) => !term.negated && isKey(list, term.key, key))
  const [value, ...more] = terms.flatMap(({ values }) => values)
  return more.length === 0 ? (value?.text ?? '') : ''
}

/** Sets the value of a key at the end of a query, or removes the key if the value is empty. */
export function withKey(list: QueryList, text: string, key: string, value: string): string {
  const others = readTerms(text)
    .filter((term) => term.negated || !isKey(list, term.key, key))
    .map(({ start, end }) => closed(text.slice(start, end)))
  return [...others, ...(value === '' ? [] : [queryWord(key, value)])].join(' ')
}

/** Adds words to a query for choices that were made beside it; an empty value is no choice. */
export function withChoices(text: string, choices: Readonly<Record<string, string>>): string {
  const added = Object.entries(choices).filter(([, value]) => value !== '')
  if (added.length === 0) return text
  return [closed(text.trim()), ...added.map(([key, value]) => queryWord(key, value))]
    .filter(Boolean)
    .join(' ')
}

function isKey(list: QueryList, given: string | undefined, key: string): boolean {
  return given !== undefined && findKey(list, given)?.[0] === key
}

/** Closes the quotes of a word, so that another can follow it. */
function closed(word: string): string {
  return word.split('"').length % 2 === 0 ? `${word}"` : word
}
