import { Type } from 'typebox'
import { queryKeys, type QueryList } from './query-keys.ts'

/** Longest query that the API accepts. */
export const longestQuery = 2000

/** Describes the query parameter of a list. */
export function queryParameter(list: QueryList, example: string) {
  const keys = Object.keys(queryKeys[list]).join(', ')
  return Type.Optional(
    Type.String({
      maxLength: longestQuery,
      description: `Query, e.g. \`${example}\`. Keys: ${keys}; other words are searched in the text; \`-\` before a word excludes matches`,
    }),
  )
}
