import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { ListOf } from './control.ts'
import { triggerModes } from './words/sandbox-words.ts'
import { skipReasons } from './words/webhook-words.ts'
import { flag, text } from './plain-fields.ts'

/** Events that can be triggered, with their fields. */
export const EventDescription = Type.Object({
  event: text('Scope, or scope and action'),
  scope: text('Scope in the payload'),
  action: text('Action in the payload'),
  title: text('Short label'),
  kinds: Type.Array(
    Type.Object({
      kind: text('Causes'),
      title: text('Short label'),
      sideEvents: Type.Array(Type.String(), { description: 'Events caused with it' }),
    }),
    { description: 'The first is the default; empty if there is only one' },
  ),
  fields: Type.Array(
    Type.Object({
      path: text('Path in the payload, for `overrides` and `remove`'),
      type: text('string, boolean, integer, object, array'),
      description: text('Meaning'),
    }),
  ),
})
export type EventDescription = Static<typeof EventDescription>

export const EventCatalog = ListOf(EventDescription)
export type EventCatalog = Static<typeof EventCatalog>

export const TriggerRequest = Type.Object(
  {
    event: text('Scope, or scope and action, such as `repo.content`'),
    kind: Type.Optional(text('Cause; default: the first')),
    repo: Type.String({
      minLength: 1,
      description: 'namespace/name, prefixed with models/, datasets/ or spaces/ if ambiguous',
    }),
    mode: Type.Optional(
      OneOf(
        triggerModes,
        '`do`: change the state (default); `send`: send a payload without a change',
      ),
    ),
    overrides: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Values by their path in the payload',
      }),
    ),
    remove: Type.Optional(
      Type.Array(Type.String(), { description: 'Paths to remove from the payload' }),
    ),
    repeat: Type.Optional(
      Type.Object(
        {
          times: Type.Integer({ minimum: 1, maximum: 100_000, description: 'Number of times' }),
        },
        { additionalProperties: false },
      ),
    ),
    preview: Type.Optional(flag('Only return what would be sent, without changing anything')),
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
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Key for safe repeats, kept for 24 hours',
    }),
  ),
})
export type TriggerHeaders = Static<typeof TriggerHeaders>

export const TriggerResult = Type.Object({
  events: Type.Array(
    Type.Object({
      id: text('Event'),
      scope: text('Scope'),
      action: text('Action'),
    }),
  ),
  deliveries: Type.Array(
    Type.Object({
      id: text('Delivery'),
      eventId: text('Event'),
      webhookId: text('Webhook'),
    }),
  ),
  skipped: Type.Array(
    Type.Object({
      eventId: text('Event'),
      webhookId: text('Webhook that was skipped'),
      reason: OneOf(skipReasons, 'Reason'),
    }),
  ),
  payloads: Type.Optional(
    Type.Array(
      Type.Object({
        eventId: text('Event'),
        webhookId: text('Webhook'),
        payload: Type.Unknown({ description: 'Payload that would be sent' }),
      }),
      { description: 'Only with `preview`' },
    ),
  ),
})
export type TriggerResult = Static<typeof TriggerResult>
