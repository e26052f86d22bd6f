import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { searchKinds } from './words/sandbox-words.ts'
import { text } from './plain-fields.ts'

/** Sent as a body, because a search for a token must not appear in a URL. */
export const SearchRequest = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 5000,
      description: 'Part of a name, or a whole id, token, code or user code',
    }),
  },
  { additionalProperties: false },
)
export type SearchRequest = Static<typeof SearchRequest>

export const SearchHit = Type.Object({
  kind: OneOf(searchKinds, 'Kind'),
  id: text('Id within its kind; never a token or code'),
  label: text('Display name; tokens are masked'),
  note: Type.Optional(text('Further description')),
  path: text('Dashboard path below `/_sandbox`'),
})
export type SearchHit = Static<typeof SearchHit>

export const SearchResult = Type.Object({
  items: Type.Array(SearchHit, { description: 'Results, exact matches first' }),
})
export type SearchResult = Static<typeof SearchResult>
