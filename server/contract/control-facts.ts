import { Type, type Static } from 'typebox'
import { pageQuery, Time } from './control.ts'
import { LiveEntry } from './live.ts'
import { OneOf } from './one-of.ts'
import { factKinds } from './fact-kinds.ts'
import { text } from './plain-fields.ts'

export const FactQuery = Type.Object({
  kind: Type.Optional(OneOf(factKinds, 'Only facts of this kind')),
  since: Type.Optional(Time('Only at or after this sandbox time')),
  ...pageQuery,
})
export type FactQuery = Static<typeof FactQuery>

export const FactList = Type.Object({
  items: Type.Array(Type.Unsafe<LiveEntry>(LiveEntry), {
    description: 'Newest first, as in the live feed',
  }),
  nextCursor: Type.Optional(text('Pass as `cursor` for the next page; absent on the last')),
})
export type FactList = Static<typeof FactList>
