import { longestTimerMs } from './fixtures/limits.ts'
import { Type, type Static } from 'typebox'
import { OneOf } from './one-of.ts'
import { eventDomains, watchedTypes } from './words/webhook-words.ts'
import { text } from './plain-fields.ts'

// Further fields are ignored, because other client versions send more.

const Watched = Type.Array(
  Type.Object({
    type: OneOf(watchedTypes, 'Kind of the watched item'),
    name: Type.String({ minLength: 1, description: 'Account, or namespace/name of a repo' }),
  }),
  { description: 'Watched items; an update with an empty list keeps the current ones' },
)

const Domains = Type.Array(
  OneOf(
    [...eventDomains, 'discussions'],
    'Family of events; `discussions` is an alias sent by the Hub’s command line',
  ),
  { description: 'Families of events; if absent or empty: both, or the current ones on update' },
)

const StringMap = (description: string) =>
  Type.Record(Type.String(), Type.String(), { description })

/** Job spec of a webhook or run. */
export const JobSpecBody = Type.Object({
  dockerImage: Type.Optional(text('Image; or `spaceId`')),
  spaceId: Type.Optional(text('Space; or `dockerImage`')),
  command: Type.Optional(Type.Array(Type.String(), { description: 'Command of the image' })),
  arguments: Type.Optional(Type.Array(Type.String(), { description: 'Arguments of the command' })),
  environment: Type.Optional(StringMap('Environment')),
  secrets: Type.Optional(StringMap('Secret environment variables, never returned')),
  flavor: Type.Optional(text('Hardware; default cpu-basic')),
  timeoutSeconds: Type.Optional(
    Type.Union(
      [Type.Number({ exclusiveMinimum: 0, maximum: longestTimerMs / 1000 }), Type.Null()],
      {
        description: 'Time limit in seconds, on real time; default 30 minutes',
      },
    ),
  ),
  labels: Type.Optional(StringMap('Labels')),
  arch: Type.Optional(text('amd64 or arm64')),
  volumes: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      description:
        'Volumes `{type, source, mountPath, revision?, readOnly?, path?}`; mounted as folders where `--run-jobs` runs the job',
    }),
  ),
})
export type JobSpecBody = Static<typeof JobSpecBody>

const webhookFields = {
  url: Type.Optional(text('http or https URL that receives deliveries')),
  job: Type.Optional(JobSpecBody),
  jobSourceId: Type.Optional(text('Id of a job to copy, without its secrets')),
  secrets: Type.Optional(StringMap('Secrets for the copied job; only with `jobSourceId`')),
  domains: Type.Optional(Domains),
  secret: Type.Optional(text('Value of X-Webhook-Secret, in printable ASCII')),
}

export const CreateWebhookBody = Type.Object({ watched: Watched, ...webhookFields })
export type CreateWebhookBody = Static<typeof CreateWebhookBody>

/** Absent or empty fields are left unchanged. */
export const UpdateWebhookBody = Type.Object({
  watched: Type.Optional(Watched),
  ...webhookFields,
})
export type UpdateWebhookBody = Static<typeof UpdateWebhookBody>
