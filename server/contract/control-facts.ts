import { Type, type Static } from 'typebox'
import { pageQuery, Time } from './control.ts'
import { LiveEntry } from './live.ts'
import { OneOf } from './one-of.ts'
import { factKinds } from './fact-kinds.ts'

export const FactQuery = Type.Object({
  kind: Type.Optional(OneOf(factKinds, 'Only of this kind')),
  since: Type.Optional(Time('Only from then on, on the sandbox clock')),
  ...pageQuery,
})
export type FactQuery = Static<typeof FactQuery>

export const FactList = Type.Object({
  items: Type.Array(Type.Unsafe<LiveEntry>(LiveEntry), {
    description: 'Newest first, as the live feed tells them',
  }),
  nextCursor: Type.Optional(
    Type.String({ description: 'Pass as `cursor` for the next page; absent on the last' }),
  ),
})
export type FactList = Static<typeof FactList>
