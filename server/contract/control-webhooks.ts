import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { ListOf, OrNull, Time, UserRef } from './control.ts'
import { DeliveryError, DeliverySpan, DeliveryStatistics } from './control-deliveries.ts'
import {
  chosenWebhookStatuses,
  deliveryOrders,
  eventDomains,
  watchedTypes,
  webhookHealthStates,
  webhookStatuses,
} from './words/webhook-words.ts'
import { flag, integer, number, text } from './plain-fields.ts'

const Watched = Type.Array(
  Type.Object(
    {
      type: OneOf(watchedTypes, 'Kind of the watched item'),
      name: Type.String({ minLength: 1, description: 'Account, or namespace/name of a repo' }),
    },
    { additionalProperties: false },
  ),
  { description: 'Watched items, whose changes are delivered' },
)
const Domains = Type.Array(OneOf(eventDomains, 'Family of events'), {
  description: 'Families of events; default: both',
})
const ActsAs = text(
  'User as whom its receiver changes the Hub: events of this user have its deliveries as their cause',
)
const Order = OneOf(deliveryOrders, 'Whether deliveries are sent in parallel or in order')
const Name = text('Name, only shown in the sandbox; the Hub has none')
const Url = text('URL that receives the payload')
const Secret = text(
  'Value of X-Webhook-Secret: ASCII without surrounding spaces; base64 if deliveries are signed',
)
const StringMap = (description: string) =>
  Type.Record(Type.String(), Type.String(), { description })

/** Job that a webhook starts instead of calling a URL. */
export const WebhookJob = Type.Object(
  {
    dockerImage: Type.Optional(text('Image; or `spaceId`')),
    spaceId: Type.Optional(text('Space; or `dockerImage`')),
    command: Type.Optional(Type.Array(Type.String())),
    arguments: Type.Optional(Type.Array(Type.String())),
    environment: Type.Optional(StringMap('Environment of the job')),
    secrets: Type.Optional(StringMap('Secret environment of the job')),
    flavor: Type.Optional(text('Hardware; default cpu-basic')),
    timeoutSeconds: Type.Optional(OrNull(number('Time limit'))),
    labels: Type.Optional(StringMap('Labels of the job')),
  },
  { additionalProperties: false },
)
export type WebhookJob = Static<typeof WebhookJob>

export const WebhookUsage = Type.Object({
  used: integer('Deliveries in the window'),
  limit: OrNull(integer('Limit; null = none in this profile')),
  windowMs: integer('Length of the sliding window'),
})
export type WebhookUsage = Static<typeof WebhookUsage>

export const WebhookHealth = Type.Object(
  {
    state: OneOf(
      webhookHealthStates,
      'Result of the last attempt; replays count only if they succeed. `unknown`: no attempt since it was created or enabled',
    ),
    failedAttempts: Type.Integer({
      minimum: 0,
      description: 'Consecutive failed attempts, including retries',
    }),
    failingSince: Type.Optional(
      Time('First failed attempt since the last success, replays included'),
    ),
    lastError: Type.Optional(
      Type.Object(
        {
          at: Time('Start of the attempt'),
          deliveryId: text('Delivery'),
          status: Type.Optional(integer('HTTP status or exit code')),
          ...DeliveryError.properties,
        },
        { description: 'The last of the failed attempts' },
      ),
    ),
  },
  { description: 'Health of the receiver' },
)
export type WebhookHealth = Static<typeof WebhookHealth>

export const WebhookItem = Type.Object(
  {
    id: text('24 hex digits'),
    name: Type.Optional(Name),
    owner: UserRef,
    target: text('URL, or a short description of the job'),
    url: Type.Optional(Url),
    job: Type.Optional(WebhookJob),
    jobSourceId: Type.Optional(text('Job that the webhook was copied from')),
    watched: Watched,
    domains: Domains,
    secret: Type.Optional(Secret),
    status: OneOf(webhookStatuses, 'Status of the webhook'),
    suspendedAt: Type.Optional(Time('Time of the suspension')),
    suspendedBecause: Type.Optional(text('Last error before the suspension')),
    consecutiveFailures: integer('Failed deliveries since the last success'),
    lastTriggerAt: Type.Optional(Time('Time of the last delivery')),
    held: flag('Whether deliveries are paused: created, but queued until resumed'),
    awaitedSince: Type.Optional(
      Time('Start of the wait for its receiver, see `replayWhenBack`; absent: none'),
    ),
    order: Order,
    actsAs: Type.Optional(ActsAs),
    acceptSelfSigned: flag('Whether any certificate is accepted'),
    ca: Type.Optional(text('Certificates (PEM) trusted for it')),
    usage: WebhookUsage,
    problem: Type.Optional(text('Reason why its deliveries cannot be sent')),
    warnings: Type.Array(Type.String(), {
      description:
        'Watched items that currently have no effect, and a job that will not be run, with the reason',
    }),
    health: WebhookHealth,
    deliveries: DeliveryStatistics,
    p95Ms: Type.Optional(
      number(
        'Response time in ms that 95 % of the attempts kept (nearest rank); absent without a response',
      ),
    ),
    nextRetryAt: Type.Optional(Time('Time of its next retry')),
    createdAt: Time('Creation time'),
  },
  { description: 'A webhook' },
)
export type WebhookItem = Static<typeof WebhookItem>

export const WebhookList = ListOf(WebhookItem)
export type WebhookList = Static<typeof WebhookList>

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const Milliseconds = (description: string) => Type.Number({ minimum: 0, description })

export const WebhookStatisticsQuery = Type.Object({
  since: Type.Optional(Time('Only deliveries created at or after this time')),
})
export type WebhookStatisticsQuery = Static<typeof WebhookStatisticsQuery>

export const WebhookStatistics = Type.Object(
  {
    deliveries: DeliveryStatistics,
    usage: WebhookUsage,
    latency: Type.Object(
      {
        measured: Count('Attempts that reached the receiver, including replays'),
        notMeasured: Count(
          'Attempts without a response, or that ran as a job; their times are not included',
        ),
        p50Ms: Type.Optional(Milliseconds('Median (nearest rank)')),
        p90Ms: Type.Optional(Milliseconds('90th percentile')),
        p99Ms: Type.Optional(Milliseconds('99th percentile')),
        maxMs: Type.Optional(Milliseconds('Maximum')),
        buckets: Type.Array(
          Type.Object({
            fromMs: Milliseconds('Lower bound, inclusive'),
            toMs: Type.Optional(Milliseconds('Upper bound, exclusive; absent for the last')),
            succeeded: Count('Attempts that succeeded'),
            failed: Count('Attempts that failed'),
          }),
          { description: 'Fixed ranges, each about twice the previous one' },
        ),
      },
      { description: 'Response times of the receiver, in real time' },
    ),
    errors: Type.Array(
      Type.Object({
        class: DeliveryError.properties.class,
        status: Type.Optional(integer('HTTP status or exit code')),
        count: Count('Attempts'),
        lastAt: Time('Start of the newest attempt'),
        lastDeliveryId: text('Delivery'),
      }),
      { description: 'Errors, most frequent first; at most 12' },
    ),
    otherErrors: Count('Failed attempts with other errors'),
    overTime: Type.Object(
      {
        spanMs: Count('Length of each span; 0 without deliveries'),
        spans: Type.Array(DeliverySpan, {
          description: 'Spans, at most 48; the last one ends now',
        }),
      },
      { description: 'Deliveries by creation time, from the oldest to now' },
    ),
  },
  { description: 'Statistics of the deliveries in the log to a webhook' },
)
export type WebhookStatistics = Static<typeof WebhookStatistics>

export const CreateWebhookRequest = Type.Object(
  {
    owner: Type.Optional(text('Username of the owner')),
    user: Type.Optional(text('Former name of `owner`')),
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    job: Type.Optional(WebhookJob),
    jobId: Type.Optional(text('Id of a job to copy, without its secrets')),
    watched: Watched,
    domains: Type.Optional(Domains),
    secret: Type.Optional(Secret),
    disabled: Type.Optional(flag('Whether to create it disabled')),
    held: Type.Optional(flag('Whether to pause its deliveries')),
    order: Type.Optional(Order),
    actsAs: Type.Optional(ActsAs),
    acceptSelfSigned: Type.Optional(flag('Whether to accept any certificate')),
    ca: Type.Optional(text('Certificates (PEM) trusted for it')),
    temporary: Type.Optional(
      flag(
        'Delete it when its last follower (`deliveries?follow=1&webhookId=…`) disconnects, or after 10 s without one',
      ),
    ),
  },
  { additionalProperties: false },
)
export type CreateWebhookRequest = Static<typeof CreateWebhookRequest>

/** `null` removes an optional field. */
export const UpdateWebhookRequest = Type.Object(
  {
    name: Type.Optional(OrNull(Name)),
    url: Type.Optional(Url),
    job: Type.Optional(WebhookJob),
    jobId: Type.Optional(text('Id of a job to copy, without its secrets')),
    watched: Type.Optional(Watched),
    domains: Type.Optional(Domains),
    secret: Type.Optional(OrNull(Secret)),
    status: Type.Optional(
      OneOf(
        chosenWebhookStatuses,
        'New status; enabling lifts a suspension and resets its counter',
      ),
    ),
    held: Type.Optional(flag('Whether to pause deliveries; false resumes them')),
    replayWhenBack: Type.Optional(
      flag(
        'Whether to replay its undelivered deliveries once the receiver takes one; the newest is replayed every 2 to 30 s of real time until then; false ends the wait',
      ),
    ),
    order: Type.Optional(Order),
    actsAs: Type.Optional(OrNull(ActsAs)),
    acceptSelfSigned: Type.Optional(flag('Whether to accept any certificate')),
    ca: Type.Optional(OrNull(text('Certificates (PEM) trusted for it'))),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateWebhookRequest = Static<typeof UpdateWebhookRequest>

export const RecoverRequest = Type.Object(
  { since: Time('Only deliveries created at or after this time') },
  { additionalProperties: false },
)
export type RecoverRequest = Static<typeof RecoverRequest>

export const Recovered = Type.Object({
  deliveries: integer('Deliveries queued again'),
})
export type Recovered = Static<typeof Recovered>
