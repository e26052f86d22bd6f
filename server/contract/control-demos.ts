import { Type, type Static } from 'typebox'
import { AppRef, Time } from './control.ts'
import { WaitingDevice } from './control-flows.ts'
import { OneOf } from './one-of.ts'
import { decisions } from './words/oauth-words.ts'
import {
  demoAnswerers,
  demoKinds,
  demoOutcomes,
  demoPaces,
  demoVariants,
} from './words/sandbox-words.ts'
import { flag, text } from './plain-fields.ts'

export const DemoRequest = Type.Object(
  {
    kind: OneOf(demoKinds, 'Flow to run'),
    variant: Type.Optional(OneOf(demoVariants, 'Mistake of a refused flow; default: redirect-uri')),
    user: Type.Optional(text('User to sign in; default: first matching user')),
    app: Type.Optional(text('Client id of the app; default: first matching app')),
    scope: Type.Optional(
      text('Scopes to request, separated by spaces; default: openid, profile and email of the app'),
    ),
    pace: Type.Optional(
      OneOf(demoPaces, 'Whether steps run one at a time or all at once; default: at-once'),
    ),
    answeredBy: Type.Optional(
      OneOf(demoAnswerers, 'Party that decides for the user; default: the sandbox'),
    ),
    decision: Type.Optional(OneOf(decisions, 'Decision of the sandbox; default: approve')),
  },
  { additionalProperties: false },
)
export type DemoRequest = Static<typeof DemoRequest>

export const DemoItem = Type.Object(
  {
    id: text('24 hex digits'),
    kind: OneOf(demoKinds, 'Flow to run'),
    variant: Type.Optional(OneOf(demoVariants, 'Mistake of a refused flow')),
    pace: OneOf(demoPaces, 'Step by step, or all at once'),
    answeredBy: OneOf(demoAnswerers, 'Party that decides for the user'),
    app: Type.Optional(AppRef),
    user: Type.Optional(text('Username')),
    flowId: Type.Optional(text('Id of its sign-in; absent before the first request')),
    deliveryId: Type.Optional(text('Delivery of a webhook demo; absent before its event')),
    played: Type.Array(Type.String(), {
      description: 'Names of the steps played so far, in order',
    }),
    next: Type.Optional(
      Type.Object(
        {
          name: text('Name of the step, such as `token request`'),
          explanation: text('Description of the step'),
          url: Type.Optional(text('URL at which a person can do it in a browser')),
        },
        { description: 'Next step; absent when the demo is done' },
      ),
    ),
    waiting: Type.Optional(text('Reason for waiting; no step can be requested meanwhile')),
    device: Type.Optional(WaitingDevice),
    done: flag('Whether the demo has ended'),
    outcome: Type.Optional(OneOf(demoOutcomes, 'Result')),
    explanation: Type.Optional(text('Description of the result')),
    fix: Type.Optional(text('How to fix the refusal')),
    endsAt: Time('Expiry, in real time'),
  },
  { description: 'Flow in which the sandbox plays the app' },
)
export type DemoItem = Static<typeof DemoItem>

export const DemoList = Type.Object({
  items: Type.Array(DemoItem, { description: 'Newest first' }),
})
export type DemoList = Static<typeof DemoList>
