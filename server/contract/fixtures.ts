import { text } from './plain-fields.ts'
import { Type } from 'typebox'
import { OrganizationFixture, UserFixture } from './fixtures/fixture-accounts.ts'
import { AppFixture, ClientMetadataDocuments } from './fixtures/fixture-apps.ts'
import { ClockFixture, Config } from './fixtures/fixture-config.ts'
import { list, strictObject, withDefault } from './fixtures/field.ts'
import { InferenceEndpointFixture } from './fixtures/fixture-endpoints.ts'
import { InferenceFixture } from './fixtures/fixture-inference.ts'
import { LogFixture } from './fixtures/fixture-log.ts'
import { CollectionFixture, RepoFixture } from './fixtures/fixture-repos.ts'
import { JobFixture, ScheduledJobFixture, WebhookFixture } from './fixtures/fixture-webhooks.ts'

/**
 * Schema of the fixtures file. All fields have defaults, so `{}` is valid. Its static types are in `fixtures-types.ts`.
 */
export const FixturesSchema = strictObject(
  {
    $schema: Type.Optional(text('URL of this schema, for editors')),
    users: list(UserFixture, 'Users; the first one is the default for a sign-in'),
    organizations: list(OrganizationFixture, 'Organizations'),
    apps: list(AppFixture, 'OAuth apps'),
    repos: list(RepoFixture, 'Models, datasets, Spaces and buckets'),
    collections: list(CollectionFixture, 'Collections'),
    webhooks: list(WebhookFixture, 'Webhooks'),
    jobs: list(JobFixture, 'Finished jobs'),
    scheduledJobs: list(ScheduledJobFixture, 'Scheduled jobs'),
    inferenceEndpoints: list(InferenceEndpointFixture, 'Inference endpoints'),
    inference: withDefault(InferenceFixture, {}),
    clientMetadataDocuments: ClientMetadataDocuments,
    clock: withDefault(ClockFixture, {}),
    config: withDefault(Config, {}),
    log: Type.Optional(LogFixture),
  },
  { title: 'FixturesFile', description: 'Fixtures: what a sandbox starts with' },
)

export type { Fixtures, FixturesFile } from './fixtures-types.ts'
