import { longestTimerMs } from './fixtures/limits.ts'
import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { eventDomains, watchedTypes } from './words/webhooks.ts'

// Members beyond these are let through: clients of other versions send more.

const Watched = Type.Array(
  Type.Object({
    type: OneOf(watchedTypes, 'Kind of what is watched'),
    name: Type.String({ minLength: 1, description: 'Account, or namespace/name of a repo' }),
  }),
  { description: 'Whose changes are delivered; an update with an empty list keeps what there is' },
)

const Domains = Type.Array(
  OneOf([...eventDomains, 'discussions'], '`discussions` is what the command line sends'),
  { description: 'Families of events; absent or empty: both, or what there is' },
)

const StringMap = (description: string) =>
  Type.Record(Type.String(), Type.String(), { description })

/** What a job runs, as a webhook or a run gives it. */
export const JobSpecBody = Type.Object({
  dockerImage: Type.Optional(Type.String({ description: 'Image; or `spaceId`' })),
  spaceId: Type.Optional(Type.String({ description: 'Space; or `dockerImage`' })),
  command: Type.Optional(Type.Array(Type.String(), { description: 'Command of the image' })),
  arguments: Type.Optional(Type.Array(Type.String(), { description: 'Its arguments' })),
  environment: Type.Optional(StringMap('Environment')),
  secrets: Type.Optional(StringMap('Environment that answers do not show')),
  flavor: Type.Optional(Type.String({ description: 'Hardware; default cpu-basic' })),
  timeoutSeconds: Type.Optional(
    Type.Union(
      [Type.Number({ exclusiveMinimum: 0, maximum: longestTimerMs / 1000 }), Type.Null()],
      {
        description: 'Time limit in seconds, on real time; default 30 minutes',
      },
    ),
  ),
  labels: Type.Optional(StringMap('Labels')),
  arch: Type.Optional(Type.String({ description: 'amd64 or arm64' })),
  volumes: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description: 'Kept and told, never mounted',
    }),
  ),
})
export type JobSpecBody = Static<typeof JobSpecBody>

const webhookFields = {
  url: Type.Optional(Type.String({ description: 'http or https address that is posted to' })),
  job: Type.Optional(JobSpecBody),
  jobSourceId: Type.Optional(
    Type.String({ description: 'Existing job, whose spec is copied, but for its secrets' }),
  ),
  secrets: Type.Optional(StringMap('Secrets of the job that is copied; only with `jobSourceId`')),
  domains: Type.Optional(Domains),
  secret: Type.Optional(Type.String({ description: 'X-Webhook-Secret, printable ASCII' })),
}

export const CreateWebhookBody = Type.Object({ watched: Watched, ...webhookFields })
export type CreateWebhookBody = Static<typeof CreateWebhookBody>

/** Whatever is absent or empty stays as it is. */
export const UpdateWebhookBody = Type.Object({
  watched: Type.Optional(Watched),
  ...webhookFields,
})
export type UpdateWebhookBody = Static<typeof UpdateWebhookBody>
