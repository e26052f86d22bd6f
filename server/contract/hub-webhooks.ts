import { Type, type Static, type TSchemaOptions } from 'typebox'
import { GroupId, SpaceVolumeItem } from './hub-repos.ts'
import { OneOf } from './one-of.ts'
import { jobFlavors } from './words/hub-words.ts'
import { jobArchitectures } from './words/job-words.ts'
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
  {
    minItems: 1,
    description: 'Families of events; if absent: both, or the current ones on update',
  },
)

const StringMap = (description: string, more: TSchemaOptions = {}) =>
  Type.Record(Type.String(), Type.String(), { description, ...more })

const Ports = (description: string) =>
  Type.Array(Type.Integer({ minimum: 1, maximum: 65_535 }), { maxItems: 20, description })

export const JobPorts = Type.Object(
  {
    ports: Ports('Ports'),
    portsPublic: Type.Optional(Ports('Those of them that need no token')),
  },
  { description: 'Ports that the Hub forwards: kept and returned, nothing is forwarded' },
)

/** Job spec of a webhook or run. */
export const JobSpecBody = Type.Object({
  dockerImage: Type.Optional(text('Image; or `spaceId`')),
  spaceId: Type.Optional(text('Space; or `dockerImage`')),
  command: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      description: 'Command of the image',
    }),
  ),
  arguments: Type.Optional(Type.Array(Type.String(), { description: 'Arguments of the command' })),
  environment: Type.Optional(StringMap('Environment', { default: {} })),
  secrets: Type.Optional(StringMap('Secret environment variables, never returned')),
  // A fixture or a stored job may have another.
  flavor: Type.Optional(Type.Unsafe<string>(OneOf(jobFlavors, 'Hardware; default cpu-basic'))),
  timeoutSeconds: Type.Optional(
    Type.Union(
      [Type.Number({ exclusiveMinimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()],
      {
        default: null,
        description: 'Time limit in seconds, on real time; default 30 minutes',
      },
    ),
  ),
  attempts: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 1,
      description: 'Runs until one succeeds: kept and returned, the sandbox runs it once',
    }),
  ),
  labels: Type.Optional(StringMap('Labels')),
  arch: Type.Optional(Type.Unsafe<string>(OneOf(jobArchitectures, 'Processor'))),
  volumes: Type.Optional(
    Type.Array(SpaceVolumeItem, {
      minItems: 1,
      description: 'Volumes; mounted as folders where `--run-jobs` runs the job',
    }),
  ),
  expose: Type.Optional(JobPorts),
  ssh: Type.Optional(
    Type.Object(
      { enabled: Type.Optional(Type.Boolean({ default: false })) },
      { description: 'Access by SSH: returned, nothing listens' },
    ),
  ),
  resourceGroupId: Type.Optional(GroupId),
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
