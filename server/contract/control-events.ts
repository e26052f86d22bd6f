import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { ListOf, Time } from './control.ts'
import { triggerModes } from './words/sandbox.ts'
import { skipReasons } from './words/webhooks.ts'

/** What can be caused by hand, and what it takes. */
export const EventDescription = Type.Object({
  event: Type.String({ description: 'Scope, or scope and action' }),
  scope: Type.String({ description: 'Scope in the payload' }),
  action: Type.String({ description: 'Action in the payload' }),
  title: Type.String({ description: 'A few words for people' }),
  kinds: Type.Array(
    Type.Object({
      kind: Type.String({ description: 'What causes it' }),
      title: Type.String({ description: 'A few words for people' }),
      sideEvents: Type.Array(Type.String(), { description: 'Events that come with it' }),
    }),
    { description: 'The first is the default; empty where there is but one way' },
  ),
  fields: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Path in the payload, for `overrides` and `remove`' }),
      type: Type.String({ description: 'string, boolean, integer, object, array' }),
      description: Type.String({ description: 'What it means' }),
    }),
  ),
})
export type EventDescription = Static<typeof EventDescription>

export const EventCatalog = ListOf(EventDescription)
export type EventCatalog = Static<typeof EventCatalog>

export const TriggerRequest = Type.Object(
  {
    event: Type.String({ description: 'Scope, or scope and action, such as `repo.content`' }),
    kind: Type.Optional(Type.String({ description: 'Which of its causes; default: the first' })),
    repo: Type.String({
      minLength: 1,
      description: 'namespace/name, with models/, datasets/ or spaces/ before it where needed',
    }),
    mode: Type.Optional(
      OneOf(triggerModes, 'Change the state (default), or send a payload without a change'),
    ),
    overrides: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Path in the payload to the value sent there',
      }),
    ),
    remove: Type.Optional(
      Type.Array(Type.String(), { description: 'Paths left out of the payload' }),
    ),
    repeat: Type.Optional(
      Type.Object(
        {
          times: Type.Integer({ minimum: 1, maximum: 100_000, description: 'How often' }),
          perSecond: Type.Optional(
            // What lies between two of them stays within what a timer of Node counts.
            Type.Number({ minimum: 1e-6, description: 'Rate; default: at once' }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
    preview: Type.Optional(
      Type.Boolean({ description: 'Only tell what would be sent; changes nothing' }),
    ),
  },
  { additionalProperties: false },
)
export type TriggerRequest = Static<typeof TriggerRequest>

export const LastTrigger = Type.Object({
  request: Type.Optional(TriggerRequest),
})
export type LastTrigger = Static<typeof LastTrigger>

export const TriggerHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: 'Kept for 24 hours' }),
  ),
})

export const TriggerResult = Type.Object({
  events: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Event' }),
      scope: Type.String({ description: 'Its scope' }),
      action: Type.String({ description: 'Its action' }),
    }),
  ),
  deliveries: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Delivery' }),
      eventId: Type.String({ description: 'Its event' }),
      webhookId: Type.String({ description: 'Its webhook' }),
    }),
  ),
  skipped: Type.Array(
    Type.Object({
      eventId: Type.String({ description: 'Event' }),
      webhookId: Type.String({ description: 'Webhook that does not get it' }),
      reason: OneOf(skipReasons, 'Why'),
    }),
  ),
  repeatId: Type.Optional(
    Type.String({ description: 'Of what goes on at a rate; `events/repeats` lists and stops it' }),
  ),
  payloads: Type.Optional(
    Type.Array(
      Type.Object({
        eventId: Type.String({ description: 'Event' }),
        webhookId: Type.String({ description: 'Webhook' }),
        payload: Type.Unknown({ description: 'What it would get' }),
      }),
      { description: 'With `preview` only' },
    ),
  ),
})
export type TriggerResult = Static<typeof TriggerResult>

export const RepeatItem = Type.Object(
  {
    id: Type.String({ description: 'Repeated trigger' }),
    event: Type.String({ description: 'What is caused' }),
    repo: Type.String({ description: 'Where' }),
    times: Type.Integer({ description: 'How often in all' }),
    done: Type.Integer({ description: 'How often so far' }),
    perSecond: Type.Number({ description: 'Rate' }),
    startedAt: Time('When it began, in real time'),
  },
  { description: 'A trigger that is repeated at a rate' },
)
export type RepeatItem = Static<typeof RepeatItem>

export const RepeatList = ListOf(RepeatItem)
export type RepeatList = Static<typeof RepeatList>
