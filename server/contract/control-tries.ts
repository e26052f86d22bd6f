import { Type, type Static } from 'typebox'
import { AppRef, Time } from './control.ts'
import { WaitingDevice } from './control-flows.ts'
import { OneOf } from './one-of.ts'
import { decisions } from './words/oauth.ts'
import { tryAnswerers, tryKinds, tryOutcomes, tryPaces, tryVariants } from './words/sandbox.ts'

export const TryRequest = Type.Object(
  {
    kind: OneOf(tryKinds, 'What is played'),
    variant: Type.Optional(
      OneOf(tryVariants, 'What goes wrong in a refused one; default: redirect-uri'),
    ),
    user: Type.Optional(Type.String({ description: 'Who signs in; default: the first who can' })),
    app: Type.Optional(
      Type.String({ description: 'Client id of the app; default: the first that fits' }),
    ),
    pace: Type.Optional(OneOf(tryPaces, 'Default: at-once')),
    answeredBy: Type.Optional(
      OneOf(tryAnswerers, 'Who answers for the user; default: the sandbox'),
    ),
    decision: Type.Optional(
      OneOf(decisions, 'What the sandbox answers for the user; default: approve'),
    ),
  },
  { additionalProperties: false },
)
export type TryRequest = Static<typeof TryRequest>

export const TryItem = Type.Object(
  {
    id: Type.String({ description: '24 hex digits' }),
    kind: OneOf(tryKinds, 'What is played'),
    variant: Type.Optional(OneOf(tryVariants, 'What goes wrong in it')),
    pace: OneOf(tryPaces, 'Whether each step is asked for'),
    answeredBy: OneOf(tryAnswerers, 'Who answers for the user'),
    app: AppRef,
    user: Type.Optional(Type.String({ description: 'Username of who signs in' })),
    flowId: Type.Optional(
      Type.String({ description: 'The sign-in it is; absent before its first request' }),
    ),
    played: Type.Array(Type.String(), { description: 'Names of the steps so far, in order' }),
    next: Type.Optional(
      Type.Object(
        {
          name: Type.String({ description: 'In the words of the field: `token request`' }),
          explanation: Type.String({ description: 'What will happen, in a sentence' }),
          url: Type.Optional(
            Type.String({ description: 'Where a person can do it in a browser instead' }),
          ),
        },
        { description: 'The step that comes next; absent when it is done' },
      ),
    ),
    waiting: Type.Optional(
      Type.String({ description: 'What is waited for now, in a sentence; nothing can be asked' }),
    ),
    device: Type.Optional(WaitingDevice),
    done: Type.Boolean({ description: 'Whether it has ended' }),
    outcome: Type.Optional(OneOf(tryOutcomes, 'How it ended')),
    explanation: Type.Optional(Type.String({ description: 'How it ended, in a sentence' })),
    mend: Type.Optional(
      Type.String({ description: 'What keeps it from being refused, in a sentence' }),
    ),
    endsAt: Time('When it is given up, in real time'),
  },
  { description: 'A flow that the sandbox plays the app in' },
)
export type TryItem = Static<typeof TryItem>

export const TryList = Type.Object({
  items: Type.Array(TryItem, { description: 'Newest first' }),
})
export type TryList = Static<typeof TryList>
