import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { mendKinds } from './words/sandbox.ts'

// What would let a refused sign-in pass, and the sandbox can change by itself.

export const Mend = Type.Object(
  {
    id: Type.String({
      description: 'Of this very change: a mend that would change something else has another',
    }),
    kind: OneOf(mendKinds, 'What is changed'),
    title: Type.String({ description: 'What it does, in a few words' }),
    change: Type.String({ description: 'All that it changes, whole' }),
    address: Type.Optional(
      Type.Object(
        {
          value: Type.String({ description: 'Redirect URI, to the letter' }),
          host: Type.Optional(Type.String({ description: 'Whose it is, when it names a host' })),
          loopback: Type.Boolean({ description: 'Whether it leads to this machine' }),
        },
        { description: 'Where codes could be sent from then on' },
      ),
    ),
    fixtures: Type.Object(
      {
        place: Type.String({ description: 'Where in a fixtures file' }),
        lines: Type.String({ description: 'What stands there, as JSON' }),
      },
      { description: 'The same for every start' },
    ),
    onTheHub: Type.String({ description: 'What to do there, where nobody mends by a button' }),
    alsoExpires: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Of a move of the clock: what else ends or falls due by it, each in a sentence',
      }),
    ),
  },
  { description: 'A change that lets a refused sign-in pass when it is tried again' },
)
export type Mend = Static<typeof Mend>

export const MendList = Type.Object({
  items: Type.Array(Mend, { description: 'None where nothing is refused, or no change helps' }),
})
export type MendList = Static<typeof MendList>

export const MadeMend = Type.Object({
  made: Mend,
  next: Type.String({ description: 'What to do now' }),
})
export type MadeMend = Static<typeof MadeMend>
