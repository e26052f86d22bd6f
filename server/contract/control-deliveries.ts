import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { Duration, HeaderList, ListOf, Time, UserRef, pageQuery } from './control.ts'
import { CommitItem } from './control-repo-contents.ts'
import { RequestItem } from './control-requests.ts'
import { longestTimerMs } from './fixtures/limits.ts'
import { encodings, eventCauses } from './words/hub.ts'
import {
  attemptOutcomes,
  attemptSources,
  deliveryErrorClasses,
  deliveryViews,
  listedDeliveryStates,
  mostReplays,
  replayOrders,
  skipReasons,
} from './words/webhooks.ts'

const SkipReason = OneOf(skipReasons, 'Why nothing is sent')

export const DeliveryError = Type.Object({
  class: OneOf(deliveryErrorClasses, 'Kind of failure'),
  message: Type.String({ description: 'What happened, in a sentence' }),
})
export type DeliveryError = Static<typeof DeliveryError>

const phase = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, description: `Milliseconds: ${description}` }))

export const AttemptTimings = Type.Object(
  {
    faultMs: phase('a fault rule held it back'),
    dnsMs: phase('looking up the name'),
    connectMs: phase('opening the connection'),
    tlsMs: phase('the TLS handshake'),
    waitMs: phase('from the connection to the first byte of the answer'),
    readMs: phase('reading the answer'),
  },
  { description: 'How long each phase took in real time, as far as it came' },
)
export type AttemptTimings = Static<typeof AttemptTimings>

export const AttemptItem = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'From 1 within the delivery' }),
    source: OneOf(attemptSources, 'What caused it'),
    at: Time('When it was started'),
    outcome: Type.Optional(OneOf(attemptOutcomes, 'Absent while in flight; unknown after a crash')),
    durationMs: Type.Optional(Type.Number({ description: 'In real time' })),
    status: Type.Optional(Type.Integer({ description: 'HTTP status, or exit code of a job' })),
    error: Type.Optional(DeliveryError),
    note: Type.Optional(
      Type.String({ description: 'What was wrong with an answer although its status decides' }),
    ),
    explanation: Type.Optional(
      Type.String({ description: 'What went wrong and what helps, in a sentence' }),
    ),
    jobId: Type.Optional(Type.String({ description: 'Job that was started' })),
    timings: Type.Optional(AttemptTimings),
    request: Type.Optional(
      Type.Object({
        method: Type.String({ description: 'HTTP method' }),
        url: Type.String({ description: 'Target at that time' }),
        headers: HeaderList,
      }),
    ),
    response: Type.Optional(
      Type.Object({
        status: Type.Integer({ description: 'HTTP status' }),
        headers: HeaderList,
        body: Type.String({ description: 'Beginning of the body' }),
        encoding: OneOf(encodings, 'Of `body`'),
        size: Type.Integer({ description: 'Bytes received, kept or not' }),
        truncated: Type.Boolean({ description: 'Whether there was more' }),
      }),
    ),
  },
  { description: 'One try of a delivery' },
)
export type AttemptItem = Static<typeof AttemptItem>

export const DeliveryItem = Type.Object(
  {
    id: Type.String({ description: 'The hub’s log id' }),
    messageId: Type.Optional(
      Type.String({ description: 'Webhook-Id header: the same over all attempts' }),
    ),
    webhookId: Type.String({ description: 'Webhook' }),
    eventId: Type.String({ description: 'Event it tells of' }),
    scope: Type.String({ description: 'Scope of the event' }),
    action: Type.String({ description: 'Action of the event' }),
    repo: Type.String({ description: 'namespace/name' }),
    repoType: Type.String({ description: 'model, dataset or space' }),
    state: OneOf(listedDeliveryStates, 'Where it stands'),
    reason: Type.Optional(SkipReason),
    explanation: Type.Optional(
      Type.String({ description: 'Why it stands there and what comes next, in a sentence' }),
    ),
    matchedBy: Type.Optional(Type.String({ description: 'What made the webhook listen' })),
    attempts: Type.Array(AttemptItem),
    payload: Type.Optional(
      Type.Unknown({ description: 'The body; skipped ones and rows have none' }),
    ),
    nextRetryAt: Type.Optional(Time('When the next attempt is due')),
    createdAt: Time('When it was made'),
    finishedAt: Type.Optional(Time('When it succeeded, failed or was cancelled')),
    cancelledBecause: Type.Optional(Type.String({ description: 'Why it was cancelled' })),
    derivedFrom: Type.Optional(
      Type.String({ description: 'Delivery that it was made from: edited, or a duplicate' }),
    ),
    duplicate: Type.Optional(
      Type.Boolean({ description: 'True where its body is that of the one it was made from' }),
    ),
    synthetic: Type.Optional(
      Type.Boolean({ description: 'True where no state was changed for it' }),
    ),
  },
  { description: 'One webhook’s share of one event' },
)
export type DeliveryItem = Static<typeof DeliveryItem>

export const DeliveryList = ListOf(DeliveryItem)
export type DeliveryList = Static<typeof DeliveryList>

const Share = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description })
const Some = (description: string) => Type.Integer({ minimum: 0, description })

export const DeliveryStatistics = Type.Object(
  {
    attempted: Some('Deliveries in the log that were tried: the sum of those below'),
    succeeded: Some('Received, by whichever attempt'),
    succeededAtFirst: Some('Of these, by the very first attempt'),
    failed: Some('No retry is left'),
    failing: Some('Failed so far, and to be tried again'),
    cancelled: Some('Given up after a try'),
    successRate: Share('succeeded / attempted; null when none was tried'),
    firstAttemptRate: Share('succeededAtFirst / attempted; null when none was tried'),
  },
  { description: 'How the deliveries in the log have fared' },
)
export type DeliveryStatistics = Static<typeof DeliveryStatistics>

export const DeliveryQuery = Type.Object({
  webhookId: Type.Optional(Type.String({ description: 'Only of this webhook' })),
  eventId: Type.Optional(Type.String({ description: 'Only of this event' })),
  state: Type.Optional(
    Type.String({
      pattern: `^(${listedDeliveryStates.join('|')})(,(${listedDeliveryStates.join('|')}))*$`,
      description: 'Only in this state, or these, with commas; skipped ones only if asked for',
    }),
  ),
  repo: Type.Optional(Type.String({ description: 'Only of this repository' })),
  scope: Type.Optional(
    Type.String({ description: 'Only of this scope; `repo.*` = narrower, too' }),
  ),
  since: Type.Optional(Time('Only made at or after this time')),
  view: Type.Optional(
    OneOf(
      deliveryViews,
      'rows: without payloads, and attempts without timings, requests and responses. Default: full',
    ),
  ),
  follow: Type.Optional(
    Type.Literal('1', { description: 'Answers NDJSON that goes on: a line for each change' }),
  ),
  ...pageQuery,
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const ReplayRequest = Type.Object(
  {
    payload: Type.Optional(
      Type.Unknown({ description: 'Sent instead, as a new delivery marked as derived' }),
    ),
  },
  { additionalProperties: false },
)
export type ReplayRequest = Static<typeof ReplayRequest>

export const ReplayManyRequest = Type.Object(
  {
    ids: Type.Array(Type.String(), {
      minItems: 1,
      maxItems: mostReplays,
      description: 'Deliveries; one that is named twice is sent twice',
    }),
    order: Type.Optional(
      OneOf(
        replayOrders,
        'How they are started; shuffled: by the ids of the sandbox, so that a seed repeats it. Default: as given',
      ),
    ),
    duplicates: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description:
          'Sends the body of each as so many new deliveries, with a Webhook-Id of their own. Default: each is sent once more, as itself',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ReplayManyRequest = Static<typeof ReplayManyRequest>

export const ReplayedItem = Type.Object({
  deliveryId: Type.String({ description: 'Delivery that was asked for' }),
  duplicateId: Type.Optional(Type.String({ description: 'Delivery that was made of it' })),
  attempt: Type.Optional(AttemptItem),
  refused: Type.Optional(Type.String({ description: 'Why nothing was sent, as a sentence' })),
})
export type ReplayedItem = Static<typeof ReplayedItem>

export const ReplayedMany = Type.Object({
  items: Type.Array(ReplayedItem, {
    description: 'In the order in which they were started; attempts as in the view `rows`',
  }),
  succeeded: Some('Attempts that succeeded'),
  failed: Some('Attempts that did not'),
  refused: Some('Of which nothing was sent'),
})
export type ReplayedMany = Static<typeof ReplayedMany>

const Some100 = '100 at most'

export const DeliveryStory = Type.Object(
  {
    cause: Type.Optional(
      OneOf(eventCauses, 'How its event came about; absent where that was not kept'),
    ),
    actor: Type.Optional(UserRef),
    explanation: Type.String({ description: 'What caused it, in a sentence' }),
    commitId: Type.Optional(Type.String({ description: 'Commit that the event tells of' })),
    discussion: Type.Optional(
      Type.Integer({ description: 'Number of the discussion that it tells of' }),
    ),
    effects: Type.Optional(
      Type.Object(
        {
          from: Time('When its last attempt was started'),
          to: Time('5 s after that attempt had ended'),
          basis: Type.String({
            description: 'By what these are taken for effects, which nobody told: a sentence',
          }),
          requests: Type.Array(RequestItem, {
            description: `Of the owner of the webhook, oldest first; ${Some100}`,
          }),
          commits: Type.Array(CommitItem, {
            description: `In the same repository, newest first; ${Some100}`,
          }),
          deliveries: Type.Array(
            Type.Object({
              id: Type.String({ description: 'Delivery' }),
              scope: Type.String({ description: 'Scope of its event' }),
              action: Type.String({ description: 'Action of its event' }),
              createdAt: Time('When it was made'),
            }),
            { description: `Of other events, to the same webhook, oldest first; ${Some100}` },
          ),
        },
        { description: 'What happened while it was handled; absent before the first attempt' },
      ),
    ),
  },
  { description: 'What caused a delivery, and what may have come of it' },
)
export type DeliveryStory = Static<typeof DeliveryStory>

export const OutstandingItem = Type.Object({
  deliveryId: Type.String({ description: 'Delivery' }),
  webhookId: Type.String({ description: 'Webhook' }),
  state: OneOf(listedDeliveryStates, 'Where it stands'),
  nextRetryAt: Type.Optional(Time('When the next attempt is due')),
})
export type OutstandingItem = Static<typeof OutstandingItem>

export const IdleQuery = Type.Object({
  timeout: Type.Optional(Duration('In real time; default `10s`', longestTimerMs)),
  waiting: Type.Optional(OneOf(['0', '1'], '1: retries that wait count, too')),
})
export type IdleQuery = Static<typeof IdleQuery>

export const Idle = Type.Object({ idle: Type.Literal(true) })
export type Idle = Static<typeof Idle>

export const NotIdle = Type.Object({
  error: Type.Literal('not_idle'),
  message: Type.String({ description: 'What is outstanding, in a sentence' }),
  outstanding: Type.Array(OutstandingItem),
})
export type NotIdle = Static<typeof NotIdle>
