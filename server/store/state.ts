import { type InferenceEndpoint, InferenceEndpointSchema } from './entities/endpoint-entities.ts'
import { Type } from 'typebox'
import { webOriginOf } from '../core/web-origin.ts'
import { defineCollection } from './collection.ts'
import {
  type Organization,
  OrganizationSchema,
  type Session,
  SessionSchema,
  type User,
  UserSchema,
} from './entities/account-entities.ts'
import {
  type BucketFile,
  BucketFileSchema,
  type Discussion,
  type DiscussionEvent,
  DiscussionEventSchema,
  DiscussionSchema,
  type HubCollection,
  HubCollectionSchema,
  type LfsFile,
  type LfsLock,
  LfsFileSchema,
  LfsLockSchema,
  type Mark,
  MarkSchema,
  type Repo,
  type RepoRedirect,
  RepoRedirectSchema,
  RepoSchema,
} from './entities/hub-entities.ts'
import {
  type AccessToken,
  AccessTokenSchema,
  type App,
  AppSchema,
  type AuditRow,
  AuditRowSchema,
  type AuthorizationCode,
  AuthorizationCodeSchema,
  type Consent,
  ConsentSchema,
  type DeviceAuthorization,
  DeviceAuthorizationSchema,
  type ExchangedIdToken,
  ExchangedIdTokenSchema,
  type MetadataDocument,
  MetadataDocumentSchema,
  type RefreshToken,
  RefreshTokenSchema,
  type SigningKey,
  SigningKeySchema,
  type TrustedPublisher,
  TrustedPublisherSchema,
} from './entities/oauth-entities.ts'
import {
  type Attempt,
  AttemptSchema,
  type Delivery,
  type DeliveryBody,
  DeliveryBodySchema,
  DeliverySchema,
  type IdempotentAnswer,
  IdempotentAnswerSchema,
  type Job,
  type JobLog,
  JobLogSchema,
  JobSchema,
  type SkippedEvent,
  SkippedEventSchema,
  type StoredLink,
  StoredLinkSchema,
  type Webhook,
  WebhookSchema,
  type ScheduledJob,
  ScheduledJobSchema,
} from './entities/webhook-entities.ts'
import type { Store } from './store.ts'

/**
 * Increased when stored records or their files change, so that no other program misreads them: it
 * refuses them.
 */
export const stateFormatVersion = 4

/** Increased when records change shape: a saved state has records, but no journal. */
export const recordFormatVersion = 3

/** Increased when records in the log of a fixtures file change shape: requests, events and deliveries, not repos. */
export const logFormatVersion = 2

/** Small facts of the sandbox itself: clock, number of the run, loaded fixtures file. */
export interface Meta {
  id: string
  value: unknown
}

/** Names ignore case, as on the hub. */
export function nameKey(name: string): string {
  return name.toLowerCase()
}

/**
 * Web origins of an app's redirect URIs, whose pages may call the hub's API. Metadata documents are excluded, because
 * they come from anyone.
 */
function redirectOrigins(app: App): string[] {
  if (app.origin === 'metadata-document' || app.opensOrigins === false) return []
  const addresses = [
    ...app.redirectUris,
    ...(app.redirectHosts ?? []).map((host) => `https://${host}`),
  ]
  return [...new Set(addresses.flatMap((uri) => webOriginOf(uri) ?? []))]
}

/** State of a sandbox. */
export const definitions = {
  meta: defineCollection<Meta>()({
    schema: Type.Object({ id: Type.String(), value: Type.Unknown() }),
  }),

  users: defineCollection<User>()({
    schema: UserSchema,
    unique: { name: (user) => nameKey(user.username), email: (user) => nameKey(user.email) },
  }),
  organizations: defineCollection<Organization>()({
    schema: OrganizationSchema,
    unique: { name: (organization) => nameKey(organization.name) },
    groups: { member: (organization) => organization.members.map(({ userId }) => userId) },
  }),
  sessions: defineCollection<Session>()({
    schema: SessionSchema,
    groups: { user: (session) => session.userId },
  }),

  apps: defineCollection<App>()({
    schema: AppSchema,
    groups: {
      organization: (app) => app.organizationId,
      space: (app) => app.spaceId,
      redirectOrigin: (app) => redirectOrigins(app),
    },
  }),
  consents: defineCollection<Consent>()({
    schema: ConsentSchema,
    groups: { user: (consent) => consent.userId, client: (consent) => consent.clientId },
  }),
  codes: defineCollection<AuthorizationCode>()({
    schema: AuthorizationCodeSchema,
    groups: { client: (code) => code.clientId },
  }),
  tokens: defineCollection<AccessToken>()({
    schema: AccessTokenSchema,
    unique: { token: (token) => token.token },
    groups: {
      user: (token) => token.userId,
      client: (token) => token.clientId,
      family: (token) => token.familyId,
      publisher: (token) => token.publisherId,
    },
  }),
  refreshTokens: defineCollection<RefreshToken>()({
    schema: RefreshTokenSchema,
    groups: { family: (token) => token.familyId, client: (token) => token.clientId },
  }),
  deviceAuthorizations: defineCollection<DeviceAuthorization>()({
    schema: DeviceAuthorizationSchema,
    unique: { userCode: (authorization) => authorization.userCode },
  }),
  trustedPublishers: defineCollection<TrustedPublisher>()({
    schema: TrustedPublisherSchema,
    groups: {
      repo: (publisher) => publisher.repoId,
      user: (publisher) => publisher.userId,
    },
  }),
  exchangedIdTokens: defineCollection<ExchangedIdToken>()({ schema: ExchangedIdTokenSchema }),
  metadataDocuments: defineCollection<MetadataDocument>()({ schema: MetadataDocumentSchema }),
  signingKeys: defineCollection<SigningKey>()({ schema: SigningKeySchema }),
  auditRows: defineCollection<AuditRow>()({
    schema: AuditRowSchema,
    groups: { organization: (row) => row.organizationId },
  }),

  repos: defineCollection<Repo>()({
    schema: RepoSchema,
    unique: { name: (repo) => `${repo.type}/${nameKey(repo.name)}` },
    groups: { owner: (repo) => repo.ownerId },
  }),
  repoRedirects: defineCollection<RepoRedirect>()({ schema: RepoRedirectSchema }),
  lfsFiles: defineCollection<LfsFile>()({
    schema: LfsFileSchema,
    groups: { repo: (file) => file.repoId, content: (file) => file.oid },
  }),
  bucketFiles: defineCollection<BucketFile>()({
    schema: BucketFileSchema,
    groups: {
      repo: (file) => file.repoId,
      content: (file) => `${file.repoId}/${file.oid}`,
    },
  }),
  lfsLocks: defineCollection<LfsLock>()({
    schema: LfsLockSchema,
    groups: { repo: (lock) => lock.repoId },
  }),
  discussions: defineCollection<Discussion>()({
    schema: DiscussionSchema,
    unique: { number: (discussion) => `${discussion.repoId}/${discussion.num}` },
    groups: { repo: (discussion) => discussion.repoId },
  }),
  discussionEvents: defineCollection<DiscussionEvent>()({
    schema: DiscussionEventSchema,
    groups: { discussion: (event) => event.discussionId },
  }),
  hubCollections: defineCollection<HubCollection>()({
    schema: HubCollectionSchema,
    groups: { owner: (collection) => collection.ownerId },
  }),
  marks: defineCollection<Mark>()({
    schema: MarkSchema,
    groups: {
      target: (mark) => `${mark.kind}/${mark.targetId}`,
      user: (mark) => `${mark.kind}/${mark.userId}`,
    },
  }),

  webhooks: defineCollection<Webhook>()({
    schema: WebhookSchema,
    groups: { owner: (webhook) => webhook.ownerId },
  }),
  deliveries: defineCollection<Delivery>()({
    schema: DeliverySchema,
    groups: {
      webhook: (delivery) => delivery.webhookId,
      event: (delivery) => delivery.eventId,
      state: (delivery) => delivery.state,
      /** Unfinished deliveries by webhook. */
      open: (delivery) => (delivery.finishedAt === undefined ? delivery.webhookId : undefined),
    },
  }),
  skippedEvents: defineCollection<SkippedEvent>()({ schema: SkippedEventSchema }),
  deliveryBodies: defineCollection<DeliveryBody>()({ schema: DeliveryBodySchema }),
  attempts: defineCollection<Attempt>()({
    schema: AttemptSchema,
    groups: { delivery: (attempt) => attempt.deliveryId },
  }),
  links: defineCollection<StoredLink>()({ schema: StoredLinkSchema }),
  jobs: defineCollection<Job>()({
    schema: JobSchema,
    groups: {
      namespace: (job) => nameKey(job.namespace),
      /** Jobs not started by a delivery. */
      asked: (job) => (job.deliveryId === undefined ? 'yes' : undefined),
    },
  }),
  scheduledJobs: defineCollection<ScheduledJob>()({
    schema: ScheduledJobSchema,
    groups: { owner: (scheduled) => scheduled.ownerId },
  }),
  inferenceEndpoints: defineCollection<InferenceEndpoint>()({
    schema: InferenceEndpointSchema,
    unique: { name: (endpoint) => `${endpoint.ownerId}/${endpoint.name}` },
    groups: { owner: (endpoint) => endpoint.ownerId },
  }),
  idempotentAnswers: defineCollection<IdempotentAnswer>()({ schema: IdempotentAnswerSchema }),
  jobLogs: defineCollection<JobLog>()({
    schema: JobLogSchema,
    groups: { job: (log) => log.jobId },
  }),
}

export type State = Store<typeof definitions>['collections']
