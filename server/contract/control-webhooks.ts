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

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Milliseconds = (description: string) => Type.Number({ minimum: 0, description })

export const WebhookStatisticsQuery = Type.Object({
  since: Type.Optional(Time('Only of deliveries that were made at or after this time')),
})
export type WebhookStatisticsQuery = Static<typeof WebhookStatisticsQuery>

export const WebhookStatistics = Type.Object(
  {
    deliveries: DeliveryStatistics,
    usage: WebhookUsage,
    latency: Type.Object(
      {
        measured: Count('Attempts that reached the receiver, replays included'),
        notMeasured: Count('Attempts that did not, or ran as a job: their time is not told here'),
        p50Ms: Type.Optional(Milliseconds('Half of them were as fast, by nearest rank')),
        p90Ms: Type.Optional(Milliseconds('90 of 100 were as fast')),
        p99Ms: Type.Optional(Milliseconds('99 of 100 were as fast')),
        maxMs: Type.Optional(Milliseconds('The slowest')),
        buckets: Type.Array(
          Type.Object({
            fromMs: Milliseconds('This long, or longer'),
            toMs: Type.Optional(Milliseconds('And less than this; the last one has no end')),
            succeeded: Count('Attempts that succeeded'),
            failed: Count('Attempts that did not'),
          }),
          { description: 'Always the same ones, each about twice the one before' },
        ),
      },
      { description: 'How long the receiver took, in real time' },
    ),
    errors: Type.Array(
      Type.Object({
        class: DeliveryError.properties.class,
        status: Type.Optional(Type.Integer({ description: 'HTTP status or exit code' })),
        count: Count('Attempts'),
        lastAt: Time('When the newest of them was started'),
        lastDeliveryId: Type.String({ description: 'Delivery that it was for' }),
      }),
      { description: 'What attempts failed with, the most frequent first; 12 at most' },
    ),
    otherErrors: Count('Failed attempts that are in none of them'),
    overTime: Type.Object(
      {
        spanMs: Count('Length of each span; 0 when there is none'),
        spans: Type.Array(
          Type.Object({
            from: Time('Its start; it ends with the start of the next, the last one now'),
            succeeded: Count('Deliveries that were received'),
            failed: Count('Given up, or failing so far'),
            open: Count('Not tried yet, or under way for the first time'),
          }),
          { description: '48 at most' },
        ),
      },
      { description: 'Deliveries by when they were made, from the oldest to now' },
    ),
  },
  { description: 'How a webhook has fared, of the deliveries that are kept' },
)
export type WebhookStatistics = Static<typeof WebhookStatistics>

export const CreateWebhookRequest = Type.Object(
  {
    user: Type.String({ description: 'Owner, by name' }),
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    job: Type.Optional(WebhookJob),
    jobId: Type.Optional(Type.String({ description: 'Existing job to copy, but for its secrets' })),
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
    jobId: Type.Optional(Type.String({ description: 'Existing job to copy, but for its secrets' })),
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
