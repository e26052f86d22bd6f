import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { Duration, HeaderList, ListOf, Time, UserRef, pageQuery } from './control.ts'
import { CommitItem } from './control-repo-contents.ts'
import { RequestItem } from './control-requests.ts'
import { longestTimerMs } from './fixtures/limits.ts'
import { queryParameter } from './query/query-parameter.ts'
import { encodings, eventCauses } from './words/hub-words.ts'
import {
  attemptOutcomes,
  deliveryCauses,
  deliveryErrorClasses,
  deliveryStatusWords,
  deliveryViews,
  listedAttemptSources,
  listedDeliveryStates,
  mostReplays,
  replayOrders,
  skipReasons,
} from './words/webhook-words.ts'
import { flag, integer, number, text } from './plain-fields.ts'

const SkipReason = OneOf(skipReasons, 'Reason why nothing is sent')

export const DeliveryError = Type.Object({
  class: OneOf(deliveryErrorClasses, 'Kind of failure'),
  message: text('Message that says what happened'),
})
export type DeliveryError = Static<typeof DeliveryError>

const phase = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, description: `Milliseconds: ${description}` }))

export const AttemptTimings = Type.Object(
  {
    faultMs: phase('delay by a fault rule'),
    dnsMs: phase('DNS lookup'),
    connectMs: phase('TCP connection'),
    tlsMs: phase('TLS handshake'),
    sendMs: phase('sending a slow body, as an experiment does'),
    waitMs: phase('time to the first byte of the response'),
    readMs: phase('reading the response'),
  },
  { description: 'Duration of each phase in real time, up to the last one reached' },
)
export type AttemptTimings = Static<typeof AttemptTimings>

const bodyParts = (done: 'sent' | 'received') => ({
  body: text('First part of the body'),
  encoding: OneOf(encodings, 'Encoding of `body`'),
  size: integer(`Bytes ${done}, including those not kept`),
  truncated: flag('Whether the body was cut'),
})

export const AttemptItem = Type.Object(
  {
    number: Type.Integer({ minimum: 1, description: 'Number within the delivery, from 1' }),
    source: OneOf(listedAttemptSources, 'Cause'),
    at: Time('Start time'),
    outcome: Type.Optional(
      OneOf(attemptOutcomes, 'Result; absent while in flight, unknown after a crash'),
    ),
    durationMs: Type.Optional(
      number(
        'Milliseconds of real time; no response time if the error shows that there was no response',
      ),
    ),
    status: Type.Optional(integer('HTTP status, or exit code of a job')),
    error: Type.Optional(DeliveryError),
    note: Type.Optional(text('Remark that did not change the result, such as a cut response')),
    explanation: Type.Optional(text('Problem and how to fix it')),
    jobId: Type.Optional(text('Job started by the attempt')),
    timings: Type.Optional(AttemptTimings),
    request: Type.Optional(
      Type.Object({
        method: text('HTTP method'),
        url: text('Target URL at the time of the attempt'),
        headers: HeaderList,
        sent: Type.Optional(
          Type.Object(bodyParts('sent'), {
            description: 'Body of an attempt of an audit, which need not be a payload',
          }),
        ),
      }),
    ),
    response: Type.Optional(
      Type.Object({
        status: integer('HTTP status'),
        headers: HeaderList,
        ...bodyParts('received'),
      }),
    ),
  },
  { description: 'An attempt of a delivery' },
)
export type AttemptItem = Static<typeof AttemptItem>

export const DeliveryItem = Type.Object(
  {
    id: text('The Hub’s log id'),
    messageId: Type.Optional(text('Webhook-Id header, the same for all attempts')),
    webhookId: text('Webhook; the audit if it audits a URL'),
    eventId: text('Event; the audit for an attempt of an audit'),
    scope: text('Scope of the event'),
    action: text('Action of the event'),
    repo: text('namespace/name'),
    repoType: text('model, dataset or space'),
    state: OneOf(listedDeliveryStates, 'State'),
    reason: Type.Optional(SkipReason),
    explanation: Type.Optional(text('Explanation of the state and what happens next')),
    matchedBy: Type.Optional(text('Entry of `watched` that matched')),
    attempts: Type.Array(AttemptItem),
    payload: Type.Optional(
      Type.Unknown({ description: 'Body; absent for skipped deliveries and in rows' }),
    ),
    nextRetryAt: Type.Optional(Time('Time of the next attempt')),
    createdAt: Time('Creation time'),
    finishedAt: Type.Optional(Time('Time when it succeeded, failed or was cancelled')),
    cancelledBecause: Type.Optional(text('Reason for the cancellation')),
    causedBy: Type.Optional(
      Type.Object(
        {
          deliveryId: text('Earlier delivery'),
          by: OneOf(
            deliveryCauses,
            'A token of its job, or the user that its receiver acts as; `owner`: the webhook names no such user, so its owner is assumed',
          ),
        },
        { description: 'Earlier delivery whose receiver or job caused the event' },
      ),
    ),
    heldBecause: Type.Optional(
      Type.Literal('loop', { description: 'The webhook is triggering itself' }),
    ),
    derivedFrom: Type.Optional(text('Delivery that this is an edited copy or duplicate of')),
    duplicate: Type.Optional(flag('Whether the body is the same as that of `derivedFrom`')),
    recorded: Type.Optional(
      flag(
        'Whether its job was recorded but not run, so that it counts neither as succeeded nor as failed',
      ),
    ),
    synthetic: Type.Optional(flag('Whether it was sent without a change of state')),
    audit: Type.Optional(
      Type.Object(
        {
          id: text('Audit'),
          module: text(
            'Module that sent it; `plain` for the deliveries before the first module, which have to be accepted',
          ),
        },
        { description: 'Audit that it is an attempt of; it counts nowhere and cannot be replayed' },
      ),
    ),
  },
  { description: 'Delivery of an event to a webhook' },
)
export type DeliveryItem = Static<typeof DeliveryItem>

export const DeliveryList = Type.Object({
  ...ListOf(DeliveryItem).properties,
  start: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Number of matches before the first item' }),
  ),
  total: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Number of matches, those before and after the page included',
    }),
  ),
  asOf: Type.Optional(
    text('Pass as `cursor` to read the same list again, without the deliveries that came later'),
  ),
})
export type DeliveryList = Static<typeof DeliveryList>

const Share = (description: string) =>
  Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], { description })
const Some = (description: string) => Type.Integer({ minimum: 0, description })

export const DeliveryStatistics = Type.Object(
  {
    total: Some(
      'Deliveries in the log: the sum of succeeded, failed, failing, pending, cancelled and notRun',
    ),
    attempted: Some('With an attempt that has ended, without recorded jobs'),
    succeeded: Some('Succeeded by any attempt'),
    succeededAtFirst: Some('Succeeded by the first attempt'),
    failed: Some('Failed with no retry left'),
    failing: Some('Failed so far, with a retry to come'),
    pending: Some('Open, before the end of a first attempt'),
    cancelled: Some('Cancelled, before or after an attempt'),
    notRun: Some('Jobs that were recorded but not run'),
    successRate: Share('succeeded / attempted; null without attempts'),
    firstAttemptRate: Share('succeededAtFirst / attempted; null without attempts'),
  },
  { description: 'Results of the deliveries in the log' },
)
export type DeliveryStatistics = Static<typeof DeliveryStatistics>

/** Results of the deliveries of a time span. */
export const DeliverySpan = Type.Object({
  from: Time('Start; the span ends at the start of the next one'),
  succeeded: Some('Succeeded deliveries'),
  failed: Some('Failed deliveries, with no retry left'),
  failing: Some('Deliveries that failed so far and will be retried'),
  open: Some('Deliveries before or during their first attempt'),
})
export type DeliverySpan = Static<typeof DeliverySpan>

/** Longest list of bookmarks in a URL: about 1,500 ids. */
const longestBookmarks = 40_000

const deliveryFilters = {
  webhookId: Type.Optional(text('Only to this webhook')),
  eventId: Type.Optional(text('Only of this event')),
  state: Type.Optional(
    Type.String({
      pattern: `^(${deliveryStatusWords.join('|')})(,(${deliveryStatusWords.join('|')}))*$`,
      description:
        'Only in these states, or with these results (`failing`, `pending`, `not-run` …), comma-separated; skipped deliveries only if named',
    }),
  ),
  repo: Type.Optional(text('Only of this repository')),
  scope: Type.Optional(text('Only with this scope; `repo.*` includes narrower scopes')),
  since: Type.Optional(Time('Only created at or after this time')),
  q: queryParameter('deliveries', 'status:failed,failing kind:repo.* took:>1s'),
  audits: Type.Optional(
    Type.Literal('1', {
      description: 'Also the attempts of audits, as with `source:audit` in `q`',
    }),
  ),
  bookmarks: Type.Optional(
    Type.String({
      maxLength: longestBookmarks,
      description: 'Ids of deliveries, comma-separated, that `is:bookmarked` in `q` finds',
    }),
  ),
}

export const DeliveryQuery = Type.Object({
  ...deliveryFilters,
  view: Type.Optional(
    OneOf(
      deliveryViews,
      '`rows`: without payloads, and without timings, requests and responses of attempts. Default: `full`',
    ),
  ),
  follow: Type.Optional(
    Type.Literal('1', { description: 'Responds with an NDJSON stream: a line for each change' }),
  ),
  skip: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'Number of matches to leave out before the page. The response then has `start`, `total` and `asOf`',
    }),
  ),
  around: Type.Optional(
    text(
      'Id of a delivery, which need not match: the page has it, or its place, in the middle. The response then has `start`, `total` and `asOf`',
    ),
  ),
  ...pageQuery,
})
export type DeliveryQuery = Static<typeof DeliveryQuery>

export const DeliveryFilters = Type.Object({
  ...deliveryFilters,
  cursor: Type.Optional(
    text('`asOf` or `nextCursor` of the list: only the deliveries after it, the older ones'),
  ),
})
export type DeliveryFilters = Static<typeof DeliveryFilters>

const ResponseTime = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, description: `Milliseconds: ${description}` }))

export const DeliverySummary = Type.Object(
  {
    ...DeliveryStatistics.properties,
    skipped: Some('Skipped; not part of `total`'),
    audits: Some('Attempts of audits; they count nowhere else'),
    listed: Some('Deliveries that the list has without `q` and `state`'),
    newer: Some('Further matches before `cursor`, the newer ones'),
    p50Ms: ResponseTime('median response time of the last attempts (nearest rank)'),
    p95Ms: ResponseTime('95th percentile'),
    spanMs: Some('Milliseconds of each span; 0 without deliveries'),
    spans: Type.Array(DeliverySpan, {
      description:
        'Deliveries by creation time, in at most 48 equal spans from the oldest to the newest',
    }),
  },
  { description: 'Numbers of the deliveries that match, without listing them' },
)
export type DeliverySummary = Static<typeof DeliverySummary>

export const DeliveryIds = Type.Object({
  ids: Type.Array(Type.String(), { description: 'Newest first' }),
})
export type DeliveryIds = Static<typeof DeliveryIds>

export const ReplayRequest = Type.Object(
  {
    payload: Type.Optional(
      Type.Unknown({ description: 'Payload to send instead, as a new delivery marked as derived' }),
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
      description: 'Ids of deliveries; one named twice is sent twice',
    }),
    order: Type.Optional(
      OneOf(
        replayOrders,
        'Order of sending: `oldest` first, or `shuffled`, which follows the seed of the sandbox, if set. Default: as given',
      ),
    ),
    duplicates: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        description:
          'Number of new deliveries, each with its own Webhook-Id, to send for each body. Default: replay each delivery once',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ReplayManyRequest = Static<typeof ReplayManyRequest>

export const ReplayedItem = Type.Object({
  deliveryId: text('Requested delivery'),
  duplicateId: Type.Optional(text('Delivery created from it')),
  attempt: Type.Optional(AttemptItem),
  refused: Type.Optional(text('Reason why nothing was sent')),
})
export type ReplayedItem = Static<typeof ReplayedItem>

export const ReplayedMany = Type.Object({
  items: Type.Array(ReplayedItem, {
    description: 'Results, in the order of sending; attempts as in the view `rows`',
  }),
  succeeded: Some('Attempts that succeeded'),
  failed: Some('Attempts that failed'),
  refused: Some('Deliveries for which nothing was sent'),
})
export type ReplayedMany = Static<typeof ReplayedMany>

const Some100 = 'At most 100'

export const DeliveryStory = Type.Object(
  {
    cause: Type.Optional(OneOf(eventCauses, 'Cause of the event; absent if not recorded')),
    actor: Type.Optional(UserRef),
    explanation: text('Description of the cause'),
    chain: Type.Array(
      Type.Object({
        id: text('Delivery'),
        webhookId: text('Webhook'),
        scope: text('Scope of the event'),
        action: text('Action of the event'),
        state: OneOf(listedDeliveryStates, 'State'),
        createdAt: Time('Creation time'),
      }),
      { description: 'Deliveries that led to this one by certain causes, oldest first' },
    ),
    commitId: Type.Optional(text('Commit of the event')),
    discussion: Type.Optional(integer('Number of the discussion of the event')),
    effects: Type.Optional(
      Type.Object(
        {
          from: Time('Start of its last attempt'),
          to: Time('5 s after the end of that attempt'),
          basis: text('How the effects were inferred'),
          requests: Type.Array(RequestItem, {
            description: `Requests by the owner of the webhook, oldest first; ${Some100}`,
          }),
          commits: Type.Array(CommitItem, {
            description: `Changes in the repository, newest first; ${Some100}`,
          }),
          deliveries: Type.Array(
            Type.Object({
              id: text('Delivery'),
              scope: text('Scope of the event'),
              action: text('Action of the event'),
              createdAt: Time('Creation time'),
            }),
            {
              description: `Deliveries of other events to the same webhook, oldest first; ${Some100}`,
            },
          ),
        },
        { description: 'Possible effects; absent before the first attempt' },
      ),
    ),
  },
  { description: 'Show the cause and the possible effects of a delivery' },
)
export type DeliveryStory = Static<typeof DeliveryStory>

export const OutstandingItem = Type.Object({
  deliveryId: text('Delivery'),
  webhookId: text('Webhook'),
  state: OneOf(listedDeliveryStates, 'State'),
  nextRetryAt: Type.Optional(Time('Time of the next attempt')),
})
export type OutstandingItem = Static<typeof OutstandingItem>

export const IdleQuery = Type.Object({
  timeout: Type.Optional(Duration('Longest wait in real time; default `10s`', longestTimerMs)),
  waiting: Type.Optional(OneOf(['0', '1'], '`1`: also wait for retries')),
})
export type IdleQuery = Static<typeof IdleQuery>

export const Idle = Type.Object({ idle: Type.Literal(true) })
export type Idle = Static<typeof Idle>

export const NotIdle = Type.Object({
  error: Type.Literal('not_idle'),
  message: text('Description of what is outstanding'),
  outstanding: Type.Array(OutstandingItem),
})
export type NotIdle = Static<typeof NotIdle>
