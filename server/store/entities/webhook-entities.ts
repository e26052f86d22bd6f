import { type Static, Type } from 'typebox'
import { OneOf } from '../../contract/one-of.ts'
import { AttemptTimings, DeliveryError } from '../../contract/control-deliveries.ts'
import { ObjectId, Timestamp } from './common-entities.ts'
import { ownerTypes } from '../../contract/words/account-words.ts'
import { encodings, eventCauses } from '../../contract/words/hub-words.ts'
import { jobStages } from '../../contract/words/job-words.ts'
import {
  attemptOutcomes,
  attemptSources,
  deliveryCauses,
  deliveryOrders,
  deliveryStates,
  eventDomains,
  skipReasons,
  watchedTypes,
  webhookStatuses,
} from '../../contract/words/webhook-words.ts'

/** Job spec, which a webhook stores and a run copies. */
const JobSpecSchema = Type.Object({
  dockerImage: Type.Optional(Type.String()),
  spaceId: Type.Optional(Type.String()),
  command: Type.Array(Type.String()),
  arguments: Type.Array(Type.String()),
  environment: Type.Record(Type.String(), Type.String()),
  secrets: Type.Record(Type.String(), Type.String()),
  flavor: Type.String(),
  timeoutSeconds: Type.Union([Type.Number(), Type.Null()]),
  labels: Type.Record(Type.String(), Type.String()),
  arch: Type.Optional(Type.String()),
  attempts: Type.Optional(Type.Number()),
  expose: Type.Optional(
    Type.Object({
      ports: Type.Array(Type.Number()),
      portsPublic: Type.Optional(Type.Array(Type.Number())),
    }),
  ),
  ssh: Type.Optional(Type.Boolean()),
  resourceGroupId: Type.Optional(ObjectId),
  /** As the client sent them; they were checked. */
  volumes: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
})
export type JobSpec = Static<typeof JobSpecSchema>

export const WebhookSchema = Type.Object({
  id: ObjectId,
  ownerId: ObjectId,
  /** Name, only shown in the sandbox; the hub has none. */
  name: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  job: Type.Optional(JobSpecSchema),
  jobSourceId: Type.Optional(Type.String()),
  watched: Type.Array(Type.Object({ type: OneOf(watchedTypes), name: Type.String() })),
  domains: Type.Array(OneOf(eventDomains)),
  secret: Type.Optional(Type.String()),
  status: OneOf(webhookStatuses),
  suspendedAt: Type.Optional(Timestamp),
  suspendedBecause: Type.Optional(Type.String()),
  /** Failed deliveries since the last success, without single attempts and replays. */
  consecutiveFailures: Type.Number(),
  /** Start of the first failed attempt since the last success, without replays. */
  firstFailureAt: Type.Optional(Timestamp),
  /** Start of the first failed attempt since the last success, replays included; absent in older states. */
  failingSince: Type.Optional(Timestamp),
  /** Failed attempts since then. */
  failedAttempts: Type.Optional(Type.Number()),
  /** Last failed attempt since then. */
  lastFailure: Type.Optional(
    Type.Object({
      deliveryId: ObjectId,
      at: Timestamp,
      error: DeliveryError,
      status: Type.Optional(Type.Number()),
    }),
  ),
  lastTriggerAt: Type.Optional(Timestamp),
  /** Whether deliveries are paused: created, but queued until resumed. */
  held: Type.Optional(Type.Boolean()),
  /** Start of the wait for its receiver, after which its undelivered deliveries are replayed. */
  awaitedSince: Type.Optional(Timestamp),
  order: Type.Optional(OneOf(deliveryOrders)),
  /** User as whom its receiver changes the hub. */
  actsAs: Type.Optional(ObjectId),
  acceptSelfSigned: Type.Optional(Type.Boolean()),
  /** Certificates (PEM) trusted for the target, instead of the public ones. */
  ca: Type.Optional(Type.String()),
  /** Deleted with its last follower, and part of no snapshot. */
  temporary: Type.Optional(Type.Boolean()),
  createdAt: Timestamp,
})
export type Webhook = Static<typeof WebhookSchema>

/** All webhooks that were skipped for an event, in one row; `id` is the event's. */
export const SkippedEventSchema = Type.Object({
  id: Type.String(),
  /** Number in the sequence of deliveries, so that both can be listed in one order. */
  seq: Type.Number(),
  scope: Type.String(),
  action: Type.String(),
  repo: Type.String(),
  repoType: Type.String(),
  at: Timestamp,
  webhooks: Type.Array(Type.Object({ id: ObjectId, reason: OneOf(skipReasons) })),
})
export type SkippedEvent = Static<typeof SkippedEventSchema>

/** Delivery of an event to a webhook; `id` is the hub's log id. The body is stored separately. */
export const DeliverySchema = Type.Object({
  id: ObjectId,
  /** Number of the delivery in the sandbox, across restarts. */
  seq: Type.Number(),
  /** Value of the `Webhook-Id` header, the same for retries and replays. */
  messageId: Type.String(),
  webhookId: ObjectId,
  eventId: Type.String(),
  scope: Type.String(),
  action: Type.String(),
  repo: Type.String(),
  repoType: Type.String(),
  repoId: Type.String(),
  state: OneOf(deliveryStates),
  /** Watched item that matched: `org:acme`. */
  matchedBy: Type.String(),
  /** Attempts of all sources. */
  attempts: Type.Number(),
  /** Used steps of the retry schedule; replays and unknown outcomes use none. */
  tries: Type.Number(),
  nextRetryAt: Type.Optional(Timestamp),
  createdAt: Timestamp,
  /** Whether the first attempt succeeded. */
  succeededAtFirst: Type.Optional(Type.Boolean()),
  /** Whether its job was recorded but not run: neither a success nor a failure. */
  recorded: Type.Optional(Type.Boolean()),
  finishedAt: Type.Optional(Timestamp),
  cancelledBecause: Type.Optional(Type.String()),
  /** Delivery that this edited replay or duplicate derives from. */
  derivedFrom: Type.Optional(ObjectId),
  /** Whether the body is that of `derivedFrom`. */
  duplicate: Type.Optional(Type.Boolean()),
  synthetic: Type.Optional(Type.Boolean()),
  /** Cause of the event; absent in records of earlier versions. */
  actorId: Type.Optional(ObjectId),
  cause: Type.Optional(OneOf(eventCauses)),
  /** Earlier delivery whose receiver or job caused the event. */
  causedBy: Type.Optional(Type.Object({ deliveryId: ObjectId, by: OneOf(deliveryCauses) })),
  /** Why it is held, unless it is because of its webhook or for lack of room: the webhook triggers itself. */
  heldBecause: Type.Optional(Type.Literal('loop')),
})
export type Delivery = Static<typeof DeliverySchema>

/** The frozen body of a delivery; `id` is the delivery's. */
export const DeliveryBodySchema = Type.Object({
  id: ObjectId,
  body: Type.String(),
  sha256: Type.String(),
  bytes: Type.Number(),
})
export type DeliveryBody = Static<typeof DeliveryBodySchema>

const HeaderList = Type.Array(Type.Tuple([Type.String(), Type.String()]))

/** An attempt of a delivery; `id` is `deliveryId/number`. */
export const AttemptSchema = Type.Object({
  id: Type.String(),
  deliveryId: ObjectId,
  number: Type.Number(),
  source: OneOf(attemptSources),
  at: Timestamp,
  /** Real time; absent for attempts of earlier versions. */
  realAt: Type.Optional(Timestamp),
  /** Result; absent while in flight. */
  outcome: Type.Optional(OneOf(attemptOutcomes)),
  durationMs: Type.Optional(Type.Number()),
  status: Type.Optional(Type.Number()),
  error: Type.Optional(DeliveryError),
  /** Problem with a response that did not change the result. */
  note: Type.Optional(Type.String()),
  timings: Type.Optional(AttemptTimings),
  /** Request, with secrets masked. */
  request: Type.Optional(
    Type.Object({ method: Type.String(), url: Type.String(), headers: HeaderList }),
  ),
  /** Job that was started, if the webhook has a job instead of a URL. */
  jobId: Type.Optional(ObjectId),
  response: Type.Optional(
    Type.Object({
      status: Type.Number(),
      headers: HeaderList,
      body: Type.String(),
      encoding: OneOf(encodings),
      /** Bytes received, including those not kept. */
      size: Type.Number(),
      truncated: Type.Boolean(),
    }),
  ),
})
export type Attempt = Static<typeof AttemptSchema>

export const JobSchema = Type.Object({
  id: ObjectId,
  namespace: Type.String(),
  ownerId: ObjectId,
  ownerType: OneOf(ownerTypes),
  spec: JobSpecSchema,
  stage: OneOf(jobStages),
  message: Type.Optional(Type.String()),
  initiatorType: Type.String(),
  initiatorId: Type.String(),
  /** User that it runs for, also for duplicates and webhooks; absent in older states. */
  creatorId: Type.Optional(Type.String()),
  deliveryId: Type.Optional(ObjectId),
  /**
   * Whether a webhook started it or the job that it duplicates: then the `WEBHOOK_` variables of its spec come from the
   * sandbox.
   */
  ofWebhook: Type.Optional(Type.Boolean()),
  executed: Type.Boolean(),
  exitCode: Type.Optional(Type.Number()),
  createdAt: Timestamp,
  startedAt: Type.Optional(Timestamp),
  finishedAt: Type.Optional(Timestamp),
})
export type Job = Static<typeof JobSchema>

/** A job that runs at times of the sandbox clock. */
export const ScheduledJobSchema = Type.Object({
  id: ObjectId,
  ownerId: ObjectId,
  creatorId: ObjectId,
  spec: JobSpecSchema,
  schedule: Type.String(),
  suspend: Type.Boolean(),
  /** Whether runs may overlap. */
  concurrency: Type.Boolean(),
  lastJob: Type.Optional(Type.Object({ id: ObjectId, at: Timestamp })),
  /** Absent if it is suspended, has no later run, or was just loaded from fixtures. */
  nextRunAt: Type.Optional(Timestamp),
  createdAt: Timestamp,
})
export type ScheduledJob = Static<typeof ScheduledJobSchema>

/**
 * A temporary link or hosted receiver. A link whose port or target cannot be used is paused rather than failing the
 * start.
 */
export const StoredLinkSchema = Type.Object({
  id: ObjectId,
  port: Type.Number(),
  /** Target; absent = a sample receiver. */
  target: Type.Optional(Type.String()),
  hosted: Type.Boolean(),
  expiresAt: Timestamp,
})
export type StoredLink = Static<typeof StoredLinkSchema>

/** Response to a trigger with an `Idempotency-Key`; `id` is the key. */
export const IdempotentAnswerSchema = Type.Object({
  id: Type.String(),
  /** SHA-256 of the request, because a key is for one request only. */
  request: Type.String(),
  answer: Type.Unknown(),
  at: Timestamp,
})
export type IdempotentAnswer = Static<typeof IdempotentAnswerSchema>

/** Lines of output of a job, in order; `id` is `jobId/number`. */
export const JobLogSchema = Type.Object({
  id: Type.String(),
  jobId: ObjectId,
  lines: Type.Array(Type.Object({ at: Timestamp, text: Type.String() })),
})
export type JobLog = Static<typeof JobLogSchema>
