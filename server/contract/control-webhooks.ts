import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { ListOf, OrNull, Time, UserRef } from './control.ts'
import { DeliveryError, DeliveryStatistics } from './control-deliveries.ts'
import {
  chosenWebhookStatuses,
  deliveryOrders,
  eventDomains,
  watchedTypes,
  webhookHealthStates,
  webhookStatuses,
} from './words/webhooks.ts'

const Watched = Type.Array(
  Type.Object(
    {
      type: OneOf(watchedTypes, 'Kind of what is watched'),
      name: Type.String({ minLength: 1, description: 'Account, or namespace/name of a repo' }),
    },
    { additionalProperties: false },
  ),
  { description: 'Whose changes are delivered' },
)
const Domains = Type.Array(OneOf(eventDomains, 'Family of events'), {
  description: 'Which families; default: both',
})
const Order = OneOf(deliveryOrders, 'How deliveries are started')
const Name = Type.String({ description: 'Shown in the sandbox only; the hub has no such name' })
const Url = Type.String({ description: 'Address that receives the payload' })
const Secret = Type.String({
  description:
    'X-Webhook-Secret, ASCII without spaces around it; base64 where deliveries are signed',
})
const StringMap = (description: string) =>
  Type.Record(Type.String(), Type.String(), { description })

/** What a webhook starts instead of calling an address. */
export const WebhookJob = Type.Object(
  {
    dockerImage: Type.Optional(Type.String({ description: 'Image; or `spaceId`' })),
    spaceId: Type.Optional(Type.String({ description: 'Space; or `dockerImage`' })),
    command: Type.Optional(Type.Array(Type.String())),
    arguments: Type.Optional(Type.Array(Type.String())),
    environment: Type.Optional(StringMap('Environment of the job')),
    secrets: Type.Optional(StringMap('Secret environment of the job')),
    flavor: Type.Optional(Type.String({ description: 'Hardware; default cpu-basic' })),
    timeoutSeconds: Type.Optional(OrNull(Type.Number({ description: 'Time limit' }))),
    labels: Type.Optional(StringMap('Labels of the job')),
  },
  { additionalProperties: false },
)
export type WebhookJob = Static<typeof WebhookJob>

export const WebhookUsage = Type.Object({
  used: Type.Integer({ description: 'Triggered deliveries in the window' }),
  limit: OrNull(Type.Integer({ description: 'Most of them; null = no limit in this profile' })),
  windowMs: Type.Integer({ description: 'Length of the sliding window' }),
})
export type WebhookUsage = Static<typeof WebhookUsage>

export const WebhookHealth = Type.Object(
  {
    state: OneOf(
      webhookHealthStates,
      'By its last attempt, replays aside; unknown: none since it was made or enabled',
    ),
    failedAttempts: Type.Integer({ minimum: 0, description: 'Failed in a row, retries included' }),
    failingSince: Type.Optional(Time('First failed attempt since the last success')),
    lastError: Type.Optional(
      Type.Object(
        {
          at: Time('When the attempt was started'),
          deliveryId: Type.String({ description: 'Delivery that it was for' }),
          status: Type.Optional(Type.Integer({ description: 'HTTP status or exit code' })),
          ...DeliveryError.properties,
        },
        { description: 'The last of the failed attempts' },
      ),
    ),
  },
  { description: 'Whether its target takes deliveries now' },
)
export type WebhookHealth = Static<typeof WebhookHealth>

export const WebhookItem = Type.Object(
  {
    id: Type.String({ description: '24 hex digits' }),
    name: Type.Optional(Name),
    owner: UserRef,
    target: Type.String({ description: 'The address, or the job in a few words' }),
    url: Type.Optional(Url),
    job: Type.Optional(WebhookJob),
    jobSourceId: Type.Optional(Type.String({ description: 'Job that the webhook copies' })),
    watched: Watched,
    domains: Domains,
    secret: Type.Optional(Secret),
    status: OneOf(webhookStatuses, 'Whether it is called'),
    suspendedAt: Type.Optional(Time('When it was suspended')),
    suspendedBecause: Type.Optional(Type.String({ description: 'Its last error then' })),
    consecutiveFailures: Type.Integer({ description: 'Failed deliveries since the last success' }),
    lastTriggerAt: Type.Optional(Time('When it was last called')),
    held: Type.Boolean({ description: 'Deliveries are made and wait until released' }),
    order: Order,
    acceptSelfSigned: Type.Boolean({ description: 'Whether any certificate is good enough' }),
    ca: Type.Optional(Type.String({ description: 'Certificates (PEM) trusted for it' })),
    usage: WebhookUsage,
    problem: Type.Optional(
      Type.String({ description: 'Why its deliveries cannot be sent as it stands' }),
    ),
    warnings: Type.Array(Type.String(), {
      description: 'What it watches in vain at present, a sentence each',
    }),
    health: WebhookHealth,
    deliveries: DeliveryStatistics,
    createdAt: Time('When it was made'),
  },
  { description: 'A webhook' },
)
export type WebhookItem = Static<typeof WebhookItem>

export const WebhookList = ListOf(WebhookItem)
export type WebhookList = Static<typeof WebhookList>

export const CreateWebhookRequest = Type.Object(
  {
    user: Type.String({ description: 'Owner, by name' }),
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    job: Type.Optional(WebhookJob),
    jobId: Type.Optional(Type.String({ description: 'Existing job to copy' })),
    watched: Watched,
    domains: Type.Optional(Domains),
    secret: Type.Optional(Secret),
    disabled: Type.Optional(Type.Boolean({ description: 'Make it disabled' })),
    held: Type.Optional(Type.Boolean({ description: 'Hold its deliveries' })),
    order: Type.Optional(Order),
    acceptSelfSigned: Type.Optional(Type.Boolean({ description: 'Take any certificate' })),
    ca: Type.Optional(Type.String({ description: 'Certificates (PEM) trusted for it' })),
    temporary: Type.Optional(
      Type.Boolean({
        description:
          'It goes when nobody follows its deliveries (`deliveries?follow=1&webhookId=…`) any more, and after 10 s in which nobody has begun to',
      }),
    ),
  },
  { additionalProperties: false },
)
export type CreateWebhookRequest = Static<typeof CreateWebhookRequest>

/** `null` removes what is optional. */
export const UpdateWebhookRequest = Type.Object(
  {
    name: Type.Optional(OrNull(Name)),
    url: Type.Optional(Url),
    job: Type.Optional(WebhookJob),
    jobId: Type.Optional(Type.String({ description: 'Existing job to copy' })),
    watched: Type.Optional(Watched),
    domains: Type.Optional(Domains),
    secret: Type.Optional(OrNull(Secret)),
    status: Type.Optional(
      OneOf(chosenWebhookStatuses, 'Enabling lifts a suspension and clears its counter'),
    ),
    held: Type.Optional(Type.Boolean({ description: 'Hold deliveries, or release those held' })),
    order: Type.Optional(Order),
    acceptSelfSigned: Type.Optional(Type.Boolean({ description: 'Take any certificate' })),
    ca: Type.Optional(OrNull(Type.String({ description: 'Certificates (PEM) trusted for it' }))),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateWebhookRequest = Static<typeof UpdateWebhookRequest>

export const RecoverRequest = Type.Object(
  { since: Time('Failed and cancelled deliveries made since then are sent again') },
  { additionalProperties: false },
)
export type RecoverRequest = Static<typeof RecoverRequest>

export const Recovered = Type.Object({
  deliveries: Type.Integer({ description: 'Deliveries queued again' }),
})
export type Recovered = Static<typeof Recovered>
