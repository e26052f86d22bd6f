import { type Static, Type } from 'typebox'
import { OneOf } from './one-of.ts'
import type { Sent } from './sent.ts'
import { Time } from './control.ts'
import { SpaceVolumeItem } from './hub-repos.ts'
import { JobSpecBody } from './hub-webhooks.ts'
import { ownerTypes } from './words/account-words.ts'
import {
  anyRepoTypes,
  spaceFlavors,
  spaceStages,
  storageTiers,
  visibilities,
} from './words/hub-words.ts'
import { jobStages } from './words/job-words.ts'
import { credentialKinds } from './words/oauth-words.ts'
import { eventDomains, suspendedStatus } from './words/webhook-words.ts'
import { flag, integer, number, text } from './plain-fields.ts'
import { repoSettings } from './repo-settings.ts'

// The hub's API on the wire, for the OpenAPI document. Responses may have further fields, which clients ignore.

const Optional = (description: string) => Type.Optional(text(description))
const Id = text('24 hex digits')

export const HubErrorBody = Type.Object(
  { error: text('Message, also in the header X-Error-Message') },
  { description: 'Request refused' },
)

const Account = {
  id: Id,
  name: text('Name in URLs'),
  fullname: text('Display name'),
  avatarUrl: text('Path or URL of the picture'),
}
const Billing = {
  canPay: Type.Optional(flag('read-billing: whether a payment method is set up')),
  billingMode: Optional('read-billing: prepaid or postpaid'),
  periodEnd: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], { description: 'read-billing: seconds since 1970' }),
  ),
}

export const AgentHarnessesResponse = Type.Object({
  standardEnvVars: Type.Array(Type.String(), {
    description: 'Environment variables that name an agent',
  }),
  harnesses: Type.Record(Type.String(), Type.Unknown(), { description: 'Known agents by id' }),
})

export const WhoamiResponse = Type.Object({
  type: OneOf(['user'], 'Kind of account'),
  ...Account,
  fullname: Type.Optional(Account.fullname),
  avatarUrl: Type.Optional(Account.avatarUrl),
  isPro: flag('Whether the user has a PRO subscription'),
  email: Optional('email'),
  emailVerified: Type.Optional(flag('email')),
  ...Billing,
  orgs: Type.Array(
    Type.Object({
      type: OneOf(['org'], 'Kind of account'),
      ...Account,
      ...Billing,
      plan: Optional('Plan; absent = free'),
      roleInOrg: Optional('Role; only for granted organizations or with read-memberships'),
      resourceGroups: Type.Optional(
        Type.Array(Type.Object({ id: Id, name: text('Name'), role: text('Role') }), {
          description: 'Only for granted organizations',
        }),
      ),
    }),
    { description: 'Organizations of the user' },
  ),
  auth: Type.Object(
    {
      type: OneOf(credentialKinds, 'Credential of the request'),
      accessToken: Type.Optional(
        Type.Object(
          {
            displayName: text('Name'),
            role: text('Role'),
            createdAt: Time('Creation time'),
            fineGrained: Type.Optional(
              Type.Object({
                scoped: Type.Array(
                  Type.Object({
                    entity: Type.Object({ _id: Id, name: Optional('Name'), type: text('Kind') }),
                    permissions: Type.Array(Type.String()),
                  }),
                ),
              }),
            ),
          },
          { description: 'Of a user access token' },
        ),
      ),
      resource: Type.Optional(
        Type.Object({ sub: Id }, { description: 'Organization that the token is bound to' }),
      ),
      expiresAt: Type.Optional(Time('Expiry of the token')),
    },
    { description: 'Credential of the request' },
  ),
})

export const CredentialsBody = Type.Object({
  credentials: Type.Array(Type.String({ minLength: 1 }), {
    minItems: 1,
    maxItems: 1000,
    description: 'Leaked tokens, in full',
  }),
})

export const OrganizationTokenBody = Type.Object({
  token: text('User access token, in full, that loses access to the organization'),
})

export const RevokedResponse = Type.Object({ success: flag('Always true') })

export const AuditLogQuery = Type.Object({
  q: Optional('Filters `author:`, `ip:` and `type:`, each with a value; all must match'),
})

export const AuditLogResponse = Type.Array(
  Type.Object({
    _id: Id,
    createdAt: Time('Time'),
    type: text('Type, such as oauth.token'),
    message: text('Message'),
    author: Type.Object({
      type: OneOf(['user', 'system'], 'Author'),
      _id: Id,
      user: text('Name'),
      avatarUrl: text('URL of the picture'),
      deleted: Type.Optional(flag('Whether the account was deleted')),
    }),
    ip: Optional('Address'),
    userAgent: Optional('Program'),
  }),
  { description: 'Newest first' },
)

const RepoObject = Type.Object({
  _id: Id,
  id: text('`namespace/name`'),
  sha: Optional('Head commit of the requested revision'),
  private: Type.Optional(flag('Whether it is private')),
  gated: Type.Optional(
    Type.Union([Type.Boolean(), Type.String()], {
      description: '`auto`, `manual`, or false if not gated',
    }),
  ),
  author: Optional('Namespace'),
  tags: Type.Optional(Type.Array(Type.String())),
  lastModified: Type.Optional(Time('Time of the newest commit')),
  createdAt: Type.Optional(Time('Creation time')),
  likes: Type.Optional(Type.Integer()),
  downloads: Type.Optional(Type.Integer()),
  siblings: Type.Optional(
    Type.Array(
      Type.Object({
        rfilename: text('Path'),
        size: Type.Optional(integer('Bytes')),
        blobId: Optional('Git object id'),
      }),
      { description: 'Files, at most 60,000' },
    ),
  ),
  cardData: Type.Optional(Type.Unknown({ description: 'Metadata of README.md' })),
  usedStorage: Type.Optional(
    integer('Bytes of the files on main, and of all large files until they are deleted'),
  ),
  config: Type.Optional(Type.Unknown({ description: 'Facts from the configuration of a model' })),
  transformersInfo: Type.Optional(
    Type.Object({
      auto_model: text('Class of transformers that loads it'),
      pipeline_tag: Optional('Task'),
      processor: Optional('Class of its processor'),
    }),
  ),
  gguf: Type.Optional(
    Type.Object({
      total: integer('Number of parameters'),
      architecture: text('Architecture'),
      context_length: Type.Optional(integer('Longest context')),
      chat_template: Optional('Chat template'),
      bos_token: Optional('First token'),
      eos_token: Optional('Last token'),
    }),
  ),
  safetensors: Type.Optional(
    Type.Object({
      parameters: Type.Record(Type.String(), Type.Integer(), {
        description: 'Number of parameters by type',
      }),
      total: integer('Number of parameters'),
    }),
  ),
  evalResults: Type.Optional(
    Type.Array(
      Type.Object({
        filename: text('Path'),
        data: Type.Optional(Type.Unknown({ description: 'Result of a benchmark' })),
        error: Optional('Mistake in the file'),
      }),
    ),
  ),
})
export const RepoResponse = RepoObject
export type RepoResponse = Static<typeof RepoResponse>
export const RepoListResponse = Type.Array(RepoObject, { description: 'A page of the list' })
export const MadeRepoResponse = Type.Object({
  url: text('URL of its page'),
  name: text('`namespace/name`'),
  id: Id,
})
export const CopiedRepoResponse = Type.Object({ url: text('URL of the page of the copy') })
export const RepoSettingsResponse = Type.Object({
  private: flag('Whether it is private'),
  visibility: OneOf(visibilities, 'Visibility'),
  gated: Type.Union([Type.Boolean(), Type.String()], {
    description: '`auto`, `manual`, or false if not gated',
  }),
  ...repoSettings,
})
export const RepoStorageResponse = Type.Array(
  Type.Object({
    id: text('`namespace/name`'),
    type: OneOf(anyRepoTypes, 'Kind'),
    updatedAt: Time('Last change'),
    visibility: OneOf(visibilities, 'Visibility'),
    storage: integer('Bytes'),
    storagePercent: number('Percentage of the total of the list'),
  }),
)
export const SpaceHostResponse = Type.Object({
  subdomain: text('First label of its host'),
  host: text('URL of its app on the Hub'),
})
const Flavor = Type.Union([OneOf(spaceFlavors, 'Flavor'), Type.Null()])
export const SpaceRuntimeResponse = Type.Object({
  stage: OneOf(spaceStages, 'Stage'),
  hardware: Type.Object(
    { current: Flavor, requested: Flavor },
    {
      description:
        '`current` is null unless the Space is running; both are null for a static Space',
    },
  ),
  storage: Type.Union([OneOf(storageTiers, 'Tier'), Type.Null()], {
    description: 'Persistent storage',
  }),
  gcTimeout: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'Seconds without a visitor until the Space sleeps; null = never',
    }),
  ),
  replicas: Type.Object({ requested: Type.Integer(), current: Type.Optional(Type.Integer()) }),
  devMode: flag('Whether dev mode is on'),
  volumes: Type.Optional(
    Type.Array(SpaceVolumeItem, { description: 'Volumes; absent without any' }),
  ),
  domains: Type.Array(Type.Object({ domain: text('Host'), stage: text('READY') })),
})
export const SpaceVariablesResponse = Type.Record(
  Type.String(),
  Type.Object({
    key: text('Name'),
    value: text('Value'),
    description: Optional('Description'),
    updatedAt: Time('Time of the last change'),
  }),
  { description: 'Variables by name' },
)
export const SpaceSecretsResponse = Type.Record(
  Type.String(),
  Type.Object({
    key: text('Name'),
    description: Optional('Description'),
    updatedAt: Time('Time of the last change'),
  }),
  { description: 'Secrets by name, without values' },
)
export const SpaceTemplatesResponse = Type.Object({
  templates: Type.Array(Type.Unknown(), { description: 'Always empty' }),
})
export const TagsResponse = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({ id: text('Tag'), label: text('Tag without its type'), type: text('Type') }),
  ),
  { description: 'Tags by type' },
)

const JobParty = {
  id: Id,
  name: text('Namespace'),
  type: OneOf(ownerTypes, 'Kind'),
  avatarUrl: text('URL of the picture'),
}
const Texts = Type.Array(Type.String())
const JobShape = {
  dockerImage: Optional('Image'),
  spaceId: Optional('Space'),
  command: Type.Optional(Texts),
  arguments: Type.Optional(Texts),
  environment: Type.Record(Type.String(), Type.String(), { description: 'Environment' }),
  secrets: Type.Optional(Type.Array(Type.String(), { description: 'Names of the secrets' })),
  flavor: text('Hardware'),
  arch: Optional('amd64 or arm64'),
  timeout: Type.Optional(number('Time limit in seconds')),
  labels: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Labels' })),
  volumes: Type.Optional(Type.Array(SpaceVolumeItem)),
  retry: Type.Optional(integer('Attempts after the first')),
  expose: JobSpecBody.properties.expose,
  resourceGroupId: Optional('Resource group'),
}
const WebhookJob = Type.Object({
  dockerImage: JobShape.dockerImage,
  spaceId: JobShape.spaceId,
  command: JobShape.command,
  arguments: JobShape.arguments,
  environment: JobShape.environment,
  secrets: JobShape.secrets,
  flavor: JobShape.flavor,
  labels: JobShape.labels,
  timeoutSeconds: Type.Union([Type.Number(), Type.Null()], {
    description: 'Time limit in seconds; null = 30 minutes',
  }),
})
const WebhookObject = Type.Object({
  id: Id,
  url: Optional('URL that receives payloads'),
  job: Type.Optional(WebhookJob),
  jobSourceId: Optional('Id of the job that was copied'),
  watched: Type.Array(Type.Object({ type: text('Kind'), name: text('Name') }), {
    description: 'Watched items, whose changes are delivered',
  }),
  domains: Type.Array(OneOf(eventDomains, 'Family of events')),
  disabled: Type.Union([Type.Boolean(), OneOf([suspendedStatus], 'Suspended by the Hub')]),
  hasSecret: flag('Whether a secret is set; it is never returned'),
  lastTriggerAt: Type.Optional(Time('Time of the last delivery')),
})
export const WebhookResponse = Type.Object({ webhook: WebhookObject })
export const WebhookListResponse = Type.Array(WebhookObject, { description: 'Your webhooks' })
export const ReplayResponse = Type.Object({
  status: integer('Status of the receiver’s response'),
})

const Identity = Type.Object({ id: Id, name: text('Name') })
export const NamespaceAccessResponse = Type.Object({ namespace: Identity, user: Identity })
export const EndpointAccessResponse = Type.Object({
  ...NamespaceAccessResponse.properties,
  resourceGroupId: Optional('Resource group of the request'),
})
export const JobResponse = Type.Object({
  type: OneOf(['job'], 'Kind'),
  id: Id,
  status: Type.Object({
    stage: OneOf(jobStages, 'Stage; the last four are final'),
    message: Type.Union([Type.String(), Type.Null()], { description: 'Reason for a failure' }),
    failureCount: Type.Optional(integer('Failed attempts')),
    exposeUrls: Type.Optional(
      Type.Array(Type.String(), { description: 'URL of each exposed port; nothing is reached' }),
    ),
    sshUrl: Optional('URL for SSH; nothing listens'),
  }),
  createdAt: Time('Creation time'),
  startedAt: Type.Optional(Time('Time of the start')),
  finishedAt: Type.Optional(Time('Time of the end')),
  durations: Type.Optional(
    Type.Object({
      schedulingSecs: Type.Optional(integer('Seconds before the start')),
      runningSecs: Type.Optional(integer('Seconds from the start to the end')),
      totalSecs: Type.Optional(integer('Seconds from the creation to the end')),
    }),
  ),
  createdBy: Type.Object({ id: Id, name: text('User') }),
  owner: Type.Object(JobParty),
  initiator: Type.Optional(
    Type.Object({
      type: text('user, scheduled-job, duplicated-job or webhook'),
      id: Id,
      name: Optional('User'),
      avatarUrl: Optional('URL of the picture'),
    }),
  ),
  ...JobShape,
})
export const ScheduledJobResponse = Type.Object({
  type: OneOf(['scheduled-job'], 'Kind'),
  id: Id,
  createdAt: Time('Creation time'),
  jobSpec: Type.Object(JobShape, { description: 'Spec; secrets by name only' }),
  schedule: text('Schedule'),
  suspend: flag('Whether it is suspended'),
  concurrency: flag('Whether runs may overlap'),
  status: Type.Object({
    lastJob: Type.Union([Type.Object({ id: Id, at: Time('Time of the last run') }), Type.Null()], {
      description: 'null before the first run',
    }),
    nextJobRunAt: Type.Union([Time('Time of the next run'), Type.Null()]),
  }),
  owner: Type.Object(JobParty),
  initiator: Type.Optional(Type.Object(JobParty)),
})
export const ScheduledJobListResponse = Type.Array(ScheduledJobResponse, {
  description: 'Newest first',
})
export const ZeroGpuQuotaResponse = Type.Object({
  base: number('Seconds of GPU time in a day'),
  current: number('Seconds left'),
  resetsAt: Type.Union([Time('Time of the reset'), Type.Null()], {
    description: 'null before the first use: nothing in a sandbox uses it',
  }),
  overquotaUsed: number('Paid seconds used beyond them'),
})
export const FoundSpace = Type.Object({
  id: text('namespace/name'),
  author: text('Namespace'),
  title: text('Title'),
  emoji: Optional('Emoji'),
  sdk: Type.Union([Type.String(), Type.Null()], { description: 'SDK' }),
  likes: integer('Likes'),
  private: flag('Whether it is private'),
  tags: Type.Array(Type.String(), { description: 'Tags' }),
  runtime: SpaceRuntimeResponse,
  semanticRelevancyScore: number('From 0 to 1'),
})
export type FoundSpace = Sent<Static<typeof FoundSpace>>
export const SpaceSearchResponse = Type.Array(FoundSpace, {
  description: 'The best first, at most 50',
})
export const JobCountResponse = Type.Object({
  count: integer('Number of jobs'),
})
export const HardwareResponse = Type.Array(
  Type.Object({
    name: text('Name, as used in jobs'),
    prettyName: text('Display name'),
    cpu: text('Cores'),
    ram: text('Memory'),
    ephemeralStorage: Optional('Disk, if known'),
    accelerator: Type.Union(
      [
        Type.Object({
          type: text('gpu'),
          model: text('Model'),
          quantity: text('Number'),
          vram: text('Memory of all'),
          manufacturer: text('Manufacturer'),
        }),
        Type.Null(),
      ],
      { description: 'null without one' },
    ),
    unitCostMicroUSD: number('Millionths of a US dollar per minute'),
    unitCostUSD: number('US dollars per minute'),
    unitLabel: text('minute'),
  }),
  { description: 'Hardware, from small to large' },
)
export const JobListResponse = Type.Array(JobResponse, { description: 'Newest first' })
