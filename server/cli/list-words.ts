import { queryKeys, type QueryList } from '../contract/query/query-keys.ts'

interface ListWords {
  id?: string
  q?: string
}

/** Reads the words after a list command: one plain word is an id, anything else a query. */
export function readListWords(words: readonly string[]): ListWords {
  const text = words.join(' ').trim()
  if (text === '') return {}
  return /[\s:"]/.test(text) || text.startsWith('-') ? { q: text } : { id: text }
}

/** Help on the query of a list, for the end of a command's help. */
export function queryHelp(list: QueryList): string {
  const keys = Object.entries(queryKeys[list])
  const width = Math.max(...keys.map(([key]) => key.length)) + 1
  return [
    'Query: all words must match. Commas separate alternatives, - before a word excludes its matches, and a word without a key is searched in the text. Put -- before a query that starts with -.',
    ...keys.map(([key, { help, known }]) => {
      const values =
        known === undefined || help.includes(known[0] ?? '') ? '' : `: ${known.join(', ')}`
      return `  ${`${key}:`.padEnd(width)} ${help}${values}`
    }),
  ].join('\n')
}
