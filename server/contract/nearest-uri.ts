import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { integer, text } from './plain-fields.ts'

const DifferencePart = Type.Object({
  kind: OneOf(
    ['same', 'extra', 'missing'] as const,
    '`extra`: only in the value sent; `missing`: only in the registered one',
  ),
  text: text('Characters'),
})

export const NearestUri = Type.Object(
  {
    value: text('Registered redirect URI that is most like the one sent'),
    parts: Type.Array(DifferencePart, { description: 'Both URIs in one, with what differs' }),
    others: integer('Number of other registered URIs'),
  },
  { description: 'Difference to the nearest registered redirect URI' },
)
export type NearestUri = Static<typeof NearestUri>
