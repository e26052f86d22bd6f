import {
  compileQuery,
  type QueryContext,
  type QueryIssue,
  type QuerySubject,
} from '../../../server/contract/query/compile-query.ts'
import { queryKeys, type QueryList } from '../../../server/contract/query/query-keys.ts'
import { readTerms } from '../../../server/contract/query/read-terms.ts'

export interface Filtered<T> {
  entries: readonly T[]
  issues: readonly QueryIssue[]
}

/**
 * Filters a list by a query. Words with a problem are left out, and so is the start of a key at the end of the query if
 * nothing contains it: a query that is being typed never empties the list.
 */
export function filterEntries<T>(
  list: QueryList,
  text: string,
  context: QueryContext,
  entries: readonly T[],
  subjectOf: (entry: T) => QuerySubject,
): Filtered<T> {
  const { terms, issues, test } = compileQuery(list, text, context)
  if (terms.length === 0) return { entries, issues }
  const found = entries.filter((entry) => test(subjectOf(entry)))
  const rest = found.length > 0 ? undefined : withoutTypedKey(list, text)
  return rest === undefined
    ? { entries: found, issues }
    : filterEntries(list, rest, context, entries, subjectOf)
}

/** Returns the query without its last word, if that may become a key; undefined if not. */
export function withoutTypedKey(list: QueryList, text: string): string | undefined {
  const last = readTerms(text).at(-1)
  if (last === undefined || last.key !== undefined || last.end !== text.length) return undefined
  const word = last.values[0]?.text.toLowerCase() ?? ''
  const isKey = Object.keys(queryKeys[list]).some((key) => key.startsWith(word))
  return isKey ? text.slice(0, last.start) : undefined
}
