import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { searchKinds } from './words/sandbox.ts'

/** Sent as a body: what is searched for may be a token, which must not stand in an address. */
export const SearchRequest = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: 5000,
      description: 'A name or a part of one; or whole: an id, a token, a code, a user code',
    }),
  },
  { additionalProperties: false },
)
export type SearchRequest = Static<typeof SearchRequest>

export const SearchHit = Type.Object({
  kind: OneOf(searchKinds, 'What it is'),
  id: Type.String({ description: 'Within its kind; never a token or a code' }),
  label: Type.String({ description: 'What people call it; tokens are masked' }),
  note: Type.Optional(Type.String({ description: 'What tells it from others' })),
  path: Type.String({ description: 'Its place in the dashboard, below `/_sandbox`' }),
})
export type SearchHit = Static<typeof SearchHit>

export const SearchResult = Type.Object({
  items: Type.Array(SearchHit, { description: 'What was meant exactly first' }),
})
export type SearchResult = Static<typeof SearchResult>
