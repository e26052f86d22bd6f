import { type Static, Type } from 'typebox'
import { OneOf } from '../../contract/one-of.ts'
import { AttemptTimings, DeliveryError } from '../../contract/control-deliveries.ts'
import { ObjectId, Timestamp } from './common.ts'
import { ownerTypes } from '../../contract/words/accounts.ts'
import { encodings, eventCauses } from '../../contract/words/hub.ts'
import { jobStages } from '../../contract/words/jobs.ts'
import {
  attemptOutcomes,
  attemptSources,
  deliveryOrders,
  deliveryStates,
  eventDomains,
  skipReasons,
  watchedTypes,
  webhookStatuses,
} from '../../contract/words/webhooks.ts'

/** What a job runs: the part of a job that a webhook keeps and a run copies. */
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
  /** Kept and told, never mounted. */
  volumes: Type.Optional(Type.Array(Type.Record(Type.String(), Type.Unknown()))),
})
export type JobSpec = Static<typeof JobSpecSchema>

export const WebhookSchema = Type.Object({
  id: ObjectId,
  ownerId: ObjectId,
  /** Shown in the sandbox only; the hub has no name for a webhook. */
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
  /** Failed deliveries since the last success; attempts and replays do not count. */
  consecutiveFailures: Type.Number(),
  /** When the first failed attempt since the last success was started; replays do not count. */
  firstFailureAt: Type.Optional(Timestamp),
  /** Attempts that failed since then. */
  failedAttempts: Type.Optional(Type.Number()),
  /** The last of them. */
  lastFailure: Type.Optional(
    Type.Object({
      deliveryId: ObjectId,
      at: Timestamp,
      error: DeliveryError,
      status: Type.Optional(Type.Number()),
    }),
  ),
  lastTriggerAt: Type.Optional(Timestamp),
  /** Deliveries are made, and wait until released. */
  held: Type.Optional(Type.Boolean()),
  order: Type.Optional(OneOf(deliveryOrders)),
  acceptSelfSigned: Type.Optional(Type.Boolean()),
  /** Certificates (PEM) that the target's is checked against, in place of the public ones. */
  ca: Type.Optional(Type.String()),
  /** It goes with the last who follows its deliveries, and is part of no kept state. */
  temporary: Type.Optional(Type.Boolean()),
  createdAt: Timestamp,
})
export type Webhook = Static<typeof WebhookSchema>

/** All webhooks that one event passed over; `id` is the event's. One row, however many they are. */
export const SkippedEventSchema = Type.Object({
  id: Type.String(),
  /** Shares the count of deliveries, so that both can be listed in one order. */
  seq: Type.Number(),
  scope: Type.String(),
  action: Type.String(),
  repo: Type.String(),
  repoType: Type.String(),
  at: Timestamp,
  webhooks: Type.Array(Type.Object({ id: ObjectId, reason: OneOf(skipReasons) })),
})
export type SkippedEvent = Static<typeof SkippedEventSchema>

/** One webhook's share of one event; `id` is the hub's log id. The bytes sent are kept apart. */
export const DeliverySchema = Type.Object({
  id: ObjectId,
  /** Counts the deliveries of a sandbox, across restarts: their order. */
  seq: Type.Number(),
  /** Value of the `Webhook-Id` header: the same over retries and replays. */
  messageId: Type.String(),
  webhookId: ObjectId,
  eventId: Type.String(),
  scope: Type.String(),
  action: Type.String(),
  repo: Type.String(),
  repoType: Type.String(),
  repoId: Type.String(),
  state: OneOf(deliveryStates),
  /** What made the webhook listen: `org:acme`. */
  matchedBy: Type.String(),
  /** Attempts of every source. */
  attempts: Type.Number(),
  /** Steps of the retry schedule that are used up: replays and unknown outcomes take none. */
  tries: Type.Number(),
  nextRetryAt: Type.Optional(Timestamp),
  createdAt: Timestamp,
  /** Its very first attempt was the one that succeeded. */
  succeededAtFirst: Type.Optional(Type.Boolean()),
  finishedAt: Type.Optional(Timestamp),
  cancelledBecause: Type.Optional(Type.String()),
  /** An edited replay is a delivery of its own, and so is a duplicate. */
  derivedFrom: Type.Optional(ObjectId),
  /** Its body is that of the one it derives from. */
  duplicate: Type.Optional(Type.Boolean()),
  synthetic: Type.Optional(Type.Boolean()),
  /** Who caused its event, and how; absent in what was made before this was kept. */
  actorId: Type.Optional(ObjectId),
  cause: Type.Optional(OneOf(eventCauses)),
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

/** One try of a delivery; `id` is `deliveryId/number`. */
export const AttemptSchema = Type.Object({
  id: Type.String(),
  deliveryId: ObjectId,
  number: Type.Number(),
  source: OneOf(attemptSources),
  at: Timestamp,
  /** Absent while in flight. */
  outcome: Type.Optional(OneOf(attemptOutcomes)),
  durationMs: Type.Optional(Type.Number()),
  status: Type.Optional(Type.Number()),
  error: Type.Optional(DeliveryError),
  /** What was wrong with an answer although its status decides. */
  note: Type.Optional(Type.String()),
  timings: Type.Optional(AttemptTimings),
  /** Secrets in it are masked. */
  request: Type.Optional(
    Type.Object({ method: Type.String(), url: Type.String(), headers: HeaderList }),
  ),
  /** The job that was started, where the webhook has a job in place of a URL. */
  jobId: Type.Optional(ObjectId),
  response: Type.Optional(
    Type.Object({
      status: Type.Number(),
      headers: HeaderList,
      body: Type.String(),
      encoding: OneOf(encodings),
      /** Bytes received, kept or not. */
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
  /** User that it runs for, of a duplicate or of a webhook too; absent in older states. */
  creatorId: Type.Optional(Type.String()),
  deliveryId: Type.Optional(ObjectId),
  /** A webhook started it, or the job it duplicates: the `WEBHOOK_` variables in its spec are the sandbox's. */
  ofWebhook: Type.Optional(Type.Boolean()),
  executed: Type.Boolean(),
  exitCode: Type.Optional(Type.Number()),
  createdAt: Timestamp,
  startedAt: Type.Optional(Timestamp),
  finishedAt: Type.Optional(Timestamp),
})
export type Job = Static<typeof JobSchema>

/**
 * A temporary link or hosted receiver. Its port and target may be such that nothing can listen or be called there: it
 * is paused, and no start fails of it.
 */
export const StoredLinkSchema = Type.Object({
  id: ObjectId,
  port: Type.Number(),
  /** Absent: a sample receiver. */
  target: Type.Optional(Type.String()),
  hosted: Type.Boolean(),
  expiresAt: Timestamp,
})
export type StoredLink = Static<typeof StoredLinkSchema>

/** What a trigger with an `Idempotency-Key` answered; `id` is the key. */
export const IdempotentAnswerSchema = Type.Object({
  id: Type.String(),
  /** SHA-256 of the request: a key stands for one request only. */
  request: Type.String(),
  answer: Type.Unknown(),
  at: Timestamp,
})
export type IdempotentAnswer = Static<typeof IdempotentAnswerSchema>

/** Lines a job wrote, in the order of their rows; `id` is `jobId/number`. */
export const JobLogSchema = Type.Object({
  id: Type.String(),
  jobId: ObjectId,
  lines: Type.Array(Type.Object({ at: Timestamp, text: Type.String() })),
})
export type JobLog = Static<typeof JobLogSchema>
