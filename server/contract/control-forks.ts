import { Type, type Static } from 'typebox'
import { ListOf } from './control.ts'

export const CreateForkRequest = Type.Object(
  {
    temporary: Type.Optional(
      Type.Boolean({
        description: 'Ends once nobody follows it any more, or if nobody does within 10 s',
      }),
    ),
  },
  { additionalProperties: false },
)
export type CreateForkRequest = Static<typeof CreateForkRequest>

export const ForkItem = Type.Object(
  {
    id: Type.String({ description: 'Fork' }),
    url: Type.String({ description: 'Its issuer, and root of its addresses' }),
    dashboardUrl: Type.String({ description: 'Its dashboard, with the control token' }),
    controlToken: Type.Optional(
      Type.String({ description: 'Its control token: that of its origin, where that has one' }),
    ),
    temporary: Type.Boolean({ description: 'Whether it ends with those who follow it' }),
  },
  { description: 'A sandbox that was made from the state of this one, and ends with it' },
)
export type ForkItem = Static<typeof ForkItem>

export const ForkList = ListOf(ForkItem)
export type ForkList = Static<typeof ForkList>

export const ForkQuery = Type.Object({
  follow: Type.Optional(
    Type.Literal('1', { description: 'Answers NDJSON that goes on as long as the fork does' }),
  ),
})
export type ForkQuery = Static<typeof ForkQuery>
