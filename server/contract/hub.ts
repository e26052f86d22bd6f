import { type TSchema, Type } from 'typebox'
import { OneOf } from './one-of.ts'
import { Time } from './control.ts'
import { SpaceVolumeItem } from './hub-repos.ts'
import { JobSpecBody } from './hub-webhooks.ts'
import { ownerTypes } from './words/accounts.ts'
import { repoTypes, spaceFlavors, spaceStages, storageTiers, visibilities } from './words/hub.ts'
import { jobStages } from './words/jobs.ts'
import { credentialKinds } from './words/oauth.ts'
import { eventDomains, suspendedStatus } from './words/webhooks.ts'

// The hub's API on the wire, for the OpenAPI document. Answers may have further members: clients let them pass.

const Text = (description: string) => Type.String({ description })
const Optional = (description: string) => Type.Optional(Text(description))
const Flag = (description: string) => Type.Boolean({ description })
const Id = Text('24 hex digits')

export const HubErrorBody = Type.Object(
  { error: Text('What is wrong; the same is in the header X-Error-Message') },
  { description: 'Refused' },
)

/** What a route of the hub's API answers. */
export const hubAnswers = (answer: TSchema) => ({
  response: { 200: answer, default: HubErrorBody },
})

const Account = {
  id: Id,
  name: Text('Name in addresses'),
  fullname: Text('Name to show'),
  avatarUrl: Text('Picture: a path of the hub, or an address elsewhere'),
}
const Billing = {
  canPay: Type.Optional(Flag('read-billing: whether there is a payment method')),
  billingMode: Optional('read-billing: prepaid or postpaid'),
  periodEnd: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], { description: 'read-billing: seconds since 1970' }),
  ),
}

export const AgentHarnessesAnswer = Type.Object({
  standardEnvVars: Type.Array(Type.String(), { description: 'Variables that name an agent' }),
  harnesses: Type.Record(Type.String(), Type.Unknown(), { description: 'Known agents by id' }),
})

export const WhoamiAnswer = Type.Object({
  type: OneOf(['user'], 'Kind of account'),
  ...Account,
  isPro: Flag('Whether the user pays for an account'),
  email: Optional('email'),
  emailVerified: Type.Optional(Flag('email')),
  ...Billing,
  orgs: Type.Array(
    Type.Object({
      type: OneOf(['org'], 'Kind of account'),
      ...Account,
      ...Billing,
      plan: Optional('Absent = free'),
      roleInOrg: Optional('Granted organizations, or read-memberships'),
    }),
    { description: 'Organizations of the user' },
  ),
  auth: Type.Object(
    {
      type: OneOf(credentialKinds, 'What the request was made with'),
      expiresAt: Type.Optional(Time('End of the token')),
    },
    { description: 'What the request was made with' },
  ),
})

export const CredentialsBody = Type.Object({
  credentials: Type.Array(Type.String(), { description: 'Leaked tokens, whole' }),
})

export const OrganizationTokenBody = Type.Object({
  token: Text('User access token, whole, that loses its access to the organization'),
})

export const RevokedAnswer = Type.Object({ success: Flag('Always true') })

export const AuditLogQuery = Type.Object({
  q: Optional('`author:`, `ip:` and `type:` with a value each; all must match'),
})

export const AuditLogAnswer = Type.Array(
  Type.Object({
    _id: Id,
    createdAt: Time('When it happened'),
    type: Text('Such as oauth.token'),
    message: Text('In words'),
    author: Type.Object({
      type: OneOf(['user', 'system'], 'Who did it'),
      _id: Id,
      user: Text('Name'),
      avatarUrl: Text('Address of the picture'),
      deleted: Type.Optional(Flag('Whether the account is gone')),
    }),
    ip: Optional('Address'),
    userAgent: Optional('Program'),
  }),
  { description: 'Newest first' },
)

const RepoObject = Type.Object({
  _id: Id,
  id: Text('`namespace/name`'),
  sha: Optional('Head of the revision that was asked for'),
  private: Type.Optional(Flag('Whether few may see it')),
  gated: Type.Optional(
    Type.Union([Type.Boolean(), Type.String()], { description: 'Who answers requests for access' }),
  ),
  author: Optional('Namespace'),
  tags: Type.Optional(Type.Array(Type.String())),
  lastModified: Type.Optional(Time('Newest commit')),
  createdAt: Type.Optional(Time('When it was made')),
  likes: Type.Optional(Type.Integer()),
  downloads: Type.Optional(Type.Integer()),
  siblings: Type.Optional(
    Type.Array(
      Type.Object({
        rfilename: Text('Path'),
        size: Type.Optional(Type.Integer({ description: 'Bytes' })),
        blobId: Optional('Git object'),
      }),
      { description: 'Its files, of which 60,000 are listed' },
    ),
  ),
  cardData: Type.Optional(Type.Unknown({ description: 'Metadata of its README.md' })),
  usedStorage: Type.Optional(Type.Integer({ description: 'Bytes' })),
})
export const RepoAnswer = RepoObject
export const RepoListAnswer = Type.Array(RepoObject, { description: 'A page' })
export const MadeRepoAnswer = Type.Object({
  url: Text('Its page'),
  name: Text('`namespace/name`'),
  id: Id,
})
export const CopiedRepoAnswer = Type.Object({ url: Text('Page of the copy') })
export const RepoSettingsAnswer = Type.Object({
  private: Flag('Whether few may see it'),
  visibility: OneOf(visibilities, 'Who may see it'),
  gated: Type.Union([Type.Boolean(), Type.String()], {
    description: 'Who answers requests for access',
  }),
})
export const RepoStorageAnswer = Type.Array(
  Type.Object({
    id: Text('`namespace/name`'),
    type: OneOf(repoTypes, 'Kind'),
    updatedAt: Time('Last change'),
    visibility: OneOf(visibilities, 'Who may see it'),
    storage: Type.Integer({ description: 'Bytes' }),
    storagePercent: Type.Number({ description: 'Of all that are listed' }),
  }),
)
const Flavor = Type.Union([OneOf(spaceFlavors, 'Flavor'), Type.Null()])
export const SpaceRuntimeAnswer = Type.Object({
  stage: OneOf(spaceStages, 'What it is doing'),
  hardware: Type.Object(
    { current: Flavor, requested: Flavor },
    { description: '`current`: null unless it runs; both null of a static Space' },
  ),
  storage: Type.Union([OneOf(storageTiers, 'Tier'), Type.Null()], {
    description: 'What outlives a restart',
  }),
  gcTimeout: Type.Optional(
    Type.Union([Type.Integer(), Type.Null()], {
      description: 'Seconds without a visitor until it sleeps; null = never',
    }),
  ),
  replicas: Type.Object({ requested: Type.Integer(), current: Type.Optional(Type.Integer()) }),
  devMode: Flag('Whether the dev mode is on'),
  volumes: Type.Optional(Type.Array(SpaceVolumeItem, { description: 'Absent where it has none' })),
  domains: Type.Array(Type.Object({ domain: Text('Host'), stage: Text('READY') })),
})
export const SpaceVariablesAnswer = Type.Record(
  Type.String(),
  Type.Object({
    key: Text('Name'),
    value: Text('Value'),
    description: Optional('What it is for'),
    updatedAt: Time('When it was set'),
  }),
  { description: 'By name' },
)
export const SpaceSecretsAnswer = Type.Record(
  Type.String(),
  Type.Object({
    key: Text('Name'),
    description: Optional('What it is for'),
    updatedAt: Time('When it was set'),
  }),
  { description: 'By name, never with the value' },
)
export const SpaceTemplatesAnswer = Type.Object({
  templates: Type.Array(Type.Unknown(), { description: 'Always empty' }),
})
export const TagsAnswer = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({ id: Text('The tag'), label: Text('Without its type'), type: Text('Its type') }),
  ),
  { description: 'By type' },
)

const { arch: _arch, volumes: _volumes, ...jobFields } = JobSpecBody.properties
const WebhookJob = Type.Object({
  ...jobFields,
  secrets: Type.Optional(Type.Array(Type.String(), { description: 'Names of its secrets' })),
})
const WebhookObject = Type.Object({
  id: Id,
  url: Optional('Where payloads go'),
  job: Type.Optional(WebhookJob),
  jobSourceId: Optional('Job whose spec was copied'),
  watched: Type.Array(Type.Object({ type: Text('Kind'), name: Text('Name') }), {
    description: 'Whose changes are delivered',
  }),
  domains: Type.Array(OneOf(eventDomains, 'Family of events')),
  disabled: Type.Union([Type.Boolean(), OneOf([suspendedStatus], 'By the hub itself')]),
  secret: Optional('X-Webhook-Secret'),
  hasSecret: Flag('Whether there is one'),
  lastTriggerAt: Type.Optional(Time('Last delivery')),
})
export const WebhookAnswer = Type.Object({ webhook: WebhookObject })
export const WebhookListAnswer = Type.Array(WebhookObject, { description: 'Yours' })
export const ReplayAnswer = Type.Object({
  status: Type.Integer({ description: 'What the receiver answered' }),
})

export const JobAnswer = Type.Object({
  type: OneOf(['job'], 'Kind'),
  id: Id,
  status: Type.Object({
    stage: OneOf(jobStages, 'The last four are ends'),
    message: Type.Union([Type.String(), Type.Null()], { description: 'Why it did not end well' }),
  }),
  createdAt: Time('When it was asked for'),
  owner: Type.Object({ id: Id, name: Text('Namespace'), type: OneOf(ownerTypes, 'Kind') }),
})
export const JobCountAnswer = Type.Object({ count: Type.Integer({ description: 'Of jobs' }) })
export const HardwareAnswer = Type.Array(
  Type.Object({
    name: Text('What a job names it by'),
    prettyName: Text('Name to show'),
    cpu: Text('Cores'),
    ram: Text('Memory'),
    ephemeralStorage: Optional('Disk, where it is known'),
    unitCostUSD: Type.Number({ description: 'US dollars a minute' }),
  }),
  { description: 'From small to large' },
)
export const JobListAnswer = Type.Array(JobAnswer, { description: 'Newest first' })
