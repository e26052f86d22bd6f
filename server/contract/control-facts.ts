import { Type, type Static } from 'typebox'
import { pageQuery, Time } from './control.ts'
import { LiveEntry } from './live.ts'
import { OneOf } from './one-of.ts'
import { factKinds } from './fact-kinds.ts'
import { integer, text } from './plain-fields.ts'

export const FactQuery = Type.Object({
  kind: Type.Optional(OneOf(factKinds, 'Only facts of this kind')),
  since: Type.Optional(Time('Only at or after this sandbox time')),
  ...pageQuery,
})
export type FactQuery = Static<typeof FactQuery>

const Kept = Type.Object(
  {
    since: Type.Optional(Time('Sandbox time of the oldest one; absent without facts')),
    dropped: integer('Older facts since the start or the reset that are no longer kept'),
  },
  { description: 'Facts that the sandbox still has, before the filters of the request' },
)

export const FactList = Type.Object({
  items: Type.Array(Type.Unsafe<LiveEntry>(LiveEntry), {
    description: 'Newest first, as in the live feed',
  }),
  nextCursor: Type.Optional(text('Pass as `cursor` for the next page; absent on the last')),
  kept: Kept,
})
export type FactList = Static<typeof FactList>
