import { Type, type Static } from 'typebox'
import { ListOf } from './control.ts'
import { flag, text } from './plain-fields.ts'

export const CreateForkRequest = Type.Object(
  {
    temporary: Type.Optional(
      flag('Stop the fork when its last follower disconnects, or after 10 s without one'),
    ),
  },
  { additionalProperties: false },
)
export type CreateForkRequest = Static<typeof CreateForkRequest>

export const ForkItem = Type.Object(
  {
    id: text('Fork'),
    url: text('Issuer and base URL'),
    dashboardUrl: text('Dashboard URL, with the control token'),
    controlToken: Type.Optional(text('Control token: that of the original sandbox, if it has one')),
    temporary: flag('Whether it stops when its last follower disconnects'),
  },
  { description: 'A sandbox started from the state of this one; stops with it' },
)
export type ForkItem = Static<typeof ForkItem>

export const ForkList = ListOf(ForkItem)
export type ForkList = Static<typeof ForkList>

export const ForkQuery = Type.Object({
  follow: Type.Optional(
    Type.Literal('1', {
      description: 'Responds with an NDJSON stream that stays open while the fork runs',
    }),
  ),
})
export type ForkQuery = Static<typeof ForkQuery>
