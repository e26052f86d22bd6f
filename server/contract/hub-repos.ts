import { type Static, Type } from 'typebox'
import { LiteralOf, OneOf } from './one-of.ts'
import {
  anyRepoTypes,
  encodings,
  gatings,
  repoRegions,
  repoTypes,
  spaceFlavors,
  storageTiers,
  visibilities,
  volumeTypes,
  newSpaceSdks,
} from './words/hub-words.ts'
import { flag, integer, text } from './plain-fields.ts'
import { repoSettings } from './repo-settings.ts'

/** List sent as a repeated parameter; some clients send a single string. */
const Repeated = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))

const RepoName = text('Name without the namespace')
const Organization = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description: 'Organization; default: your own namespace',
  }),
)
const RepoTypeName = Type.Optional(OneOf(repoTypes, 'Default: model'))
const Visibility = Type.Optional(OneOf(visibilities, 'Visibility; `protected`: Spaces only'))
const Private = Type.Optional(
  Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Used by older clients instead of `visibility`',
  }),
)

/** Id of a resource group, in a request. */
export const GroupId = Type.String({
  minLength: 24,
  maxLength: 24,
  pattern: '^[0-9a-fA-F]{24}$',
  description: 'Resource group of the organization',
})

const ResourceGroup = Type.Optional(Type.Union([GroupId, Type.Null()]))

const spaceEntry = {
  key: Type.String({
    pattern: '^[a-zA-Z][_a-zA-Z0-9]*$',
    description: 'Name of the environment variable',
  }),
  value: Type.String(),
  description: Type.Optional(Type.String()),
}
const NewVariable = Type.Object(spaceEntry)
export const SpaceVariableBody = Type.Object({
  ...spaceEntry,
  value: Type.Optional(Type.String({ default: '' })),
})
/** Write-only as a whole, because a malformed body may contain the secret anywhere. */
const NewSecret = Type.Object(
  { ...spaceEntry, value: Type.String({ writeOnly: true }) },
  { writeOnly: true },
)
export const SpaceSecretBody = Type.Object(
  { ...NewSecret.properties, value: Type.Optional(Type.String({ writeOnly: true, default: '' })) },
  { writeOnly: true },
)
export const SpaceKeyBody = Type.Object({ key: Type.String() })

const SleepTime = integer(
  'Seconds without a visitor until the Space sleeps; -1 = never. cpu-basic: always two days',
)
const flavorText = `One of ${spaceFlavors.join(', ')}`
const tierText = `One of ${storageTiers.join(', ')}`

export const SpaceHardwareBody = Type.Object({
  flavor: text(flavorText),
  sleepTimeSeconds: Type.Optional(SleepTime),
})
export const SpaceSleepTimeBody = Type.Object({ seconds: SleepTime })
export const SpaceEventsQuery = Type.Object({
  session_uuid: Type.Optional(text('Ignored: session of a page of the Hub')),
})
export const SpaceDevModeBody = Type.Object({ enabled: Type.Boolean() })
export const SpaceStorageBody = Type.Object({ tier: text(tierText) })
export const SpaceVolumeItem = Type.Object({
  type: OneOf(volumeTypes),
  source: text('`namespace/name`'),
  mountPath: text('Absolute path in the container'),
  revision: Type.Optional(text('Revision of a repo; default: main')),
  readOnly: Type.Optional(flag('Whether the volume is read-only; repos always are')),
  path: Type.Optional(text('Path to mount; default: everything')),
})
export const SpaceVolumesBody = Type.Object({
  volumes: Type.Array(SpaceVolumeItem, {
    minItems: 1,
    description: 'All volumes; replaces the current ones',
  }),
})
const TextOrTexts = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))
export const SpaceSearchQuery = Type.Object({
  q: Type.String({ minLength: 1, maxLength: 1000, description: 'Words to search for' }),
  sdk: TextOrTexts('Only Spaces with one of these SDKs'),
  filter: TextOrTexts('Only Spaces with all of these tags'),
  includeNonRunning: Type.Optional(flag('Find paused Spaces too')),
})
export type SpaceSearchQuery = Static<typeof SpaceSearchQuery>

export const SpaceRestartQuery = Type.Object({
  factory: Type.Optional(flag('Ignored: a factory restart is the same as a restart')),
})

/** A malformed body may contain secrets anywhere. */
const bearsSecrets = { writeOnly: true }
/** Options for creating a Space; ignored for other repos. */
const spaceOptions = {
  hardware: Type.Optional(text(`Spaces: ${flavorText}`)),
  storageTier: Type.Optional(text(`Spaces: ${tierText}`)),
  sleepTimeSeconds: Type.Optional(SleepTime),
  devModeEnabled: Type.Optional(flag('Spaces: whether dev mode is on')),
  volumes: Type.Optional(
    Type.Array(SpaceVolumeItem, { description: 'Volumes of a Space; stored but not mounted' }),
  ),
  secrets: Type.Optional(
    Type.Array(NewSecret, {
      writeOnly: true,
      default: [],
      description: 'Secrets of a Space; the values are not stored',
    }),
  ),
  variables: Type.Optional(
    Type.Array(NewVariable, { default: [], description: 'Public variables of a Space' }),
  ),
}

export const CreateRepoBody = Type.Object(
  {
    name: RepoName,
    organization: Organization,
    type: Type.Optional(OneOf([...repoTypes, 'kernel'], 'Kernels are not emulated', 'model')),
    visibility: Visibility,
    private: Private,
    sdk: Type.Optional(OneOf(newSpaceSdks, 'SDK; required for Spaces')),
    sdkVersion: Type.Optional(
      Type.Union([Type.String(), Type.Null()], {
        description: 'Spaces: `sdk_version` of README.md',
      }),
    ),
    short_description: Type.Optional(
      Type.String({ maxLength: 60, description: 'Spaces: short description in README.md' }),
    ),
    template: Type.Optional(text('Template of a Space; the sandbox has none')),
    region: Type.Optional(OneOf(repoRegions, 'Storage region, stored and returned; default: us')),
    license: Type.Optional(text('License; creates a README.md that names it')),
    license_name: Type.Optional(
      Type.String({ pattern: '^[a-z0-9-.]+$', description: 'Name of a license of its own' }),
    ),
    license_link: Type.Optional(text('LICENSE, LICENSE.md or the URL of that license')),
    files: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String(),
          content: Type.String(),
          encoding: Type.Optional(OneOf(encodings, 'Encoding; default: utf-8')),
        }),
        { description: 'Files of the first commit' },
      ),
    ),
    resourceGroupId: ResourceGroup,
    ...spaceOptions,
  },
  bearsSecrets,
)
export type CreateRepoBody = Static<typeof CreateRepoBody>

export const DeleteRepoBody = Type.Object({
  name: RepoName,
  organization: Organization,
  type: RepoTypeName,
})

export const MoveRepoBody = Type.Object({
  fromRepo: text('`namespace/name`'),
  toRepo: text('`namespace/name`'),
  type: Type.Optional(OneOf(anyRepoTypes, 'Type', 'model')),
})

export const RepoSettingsBody = Type.Object({
  visibility: Visibility,
  private: Private,
  gated: Type.Optional(LiteralOf([false, ...gatings])),
  ...repoSettings,
})
export type RepoSettingsBody = Static<typeof RepoSettingsBody>

export const DuplicateRepoBody = Type.Object(
  {
    repository: text('`namespace/name` of the copy'),
    visibility: Visibility,
    private: Private,
    resourceGroupId: ResourceGroup,
    ...spaceOptions,
  },
  bearsSecrets,
)

export const RepoInfoQuery = Type.Object({
  blobs: Type.Optional(flag('Whether to include sizes and object ids of the files')),
  expand: Repeated('Members to return'),
  'expand[]': Repeated('Same as `expand`'),
})
export type RepoInfoQuery = Static<typeof RepoInfoQuery>

export const repoSorts = [
  'lastModified',
  'createdAt',
  'downloads',
  'likes',
  'likes30d',
  'trendingScore',
  'mainSize',
  'num_parameters',
  'id',
] as const

export const RepoListQuery = Type.Object({
  author: Type.Optional(text('Namespace')),
  search: Repeated('Words that the name contains (all of them)'),
  filter: Repeated('Tags (all must match)'),
  'filter[]': Repeated('Same as `filter`'),
  tags: Repeated('Same as `filter`'),
  library: Repeated('Library tags (all must match)'),
  language: Repeated('Language codes (all must match)'),
  trained_dataset: Repeated('Datasets that the model was trained on (all must match)'),
  pipeline_tag: Type.Optional(Type.String()),
  gated: Type.Optional(Type.Boolean()),
  apps: Repeated('Apps that run the model; matches nothing in the sandbox'),
  inference: Type.Optional(text('`warm`: served models; matches nothing in the sandbox')),
  inference_provider: Repeated('Providers that serve the model; matches nothing in the sandbox'),
  num_parameters: Type.Optional(
    text('Range such as `min:6B,max:128B`; matches nothing in the sandbox'),
  ),
  linked: Type.Optional(flag('Whether the Space names a model or dataset')),
  models: Repeated('Models that the Space names (all must match)'),
  datasets: Repeated('Datasets that the Space names (all must match)'),
  sort: Type.Optional(OneOf(repoSorts, 'Sort key, highest first; default: trendingScore')),
  direction: Type.Optional(text('Only -1 (descending) is supported')),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Items per page; default 1000' })),
  cursor: Type.Optional(text('Position from the `Link` header of the previous page')),
  full: Type.Optional(Type.Boolean()),
  cardData: Type.Optional(Type.Boolean()),
  config: Type.Optional(Type.Boolean()),
  expand: Repeated('Members to return'),
  'expand[]': Repeated('Same as `expand`'),
})
export type RepoListQuery = Static<typeof RepoListQuery>

/** Repos of an account with their storage. */
export const RepoStorageQuery = Type.Object({
  search: Type.Optional(Type.String({ description: 'Part of the name, in any case' })),
  type: Type.Optional(OneOf([...anyRepoTypes, 'kernel'], 'Kind')),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Most repos of the list' })),
  sort: Type.Optional(OneOf(['storage', 'updatedAt'], 'Order', 'storage')),
  direction: Type.Optional(OneOf(['asc', 'desc'], 'Direction', 'desc')),
})
export type RepoStorageQuery = Static<typeof RepoStorageQuery>

const TagType = (types: readonly string[]) =>
  Type.Object({ type: Type.Optional(OneOf(types, 'Only tags of this type')) })
const sharedTagTypes = ['library', 'language', 'license', 'arxiv', 'doi', 'region', 'other']
export const ModelTagsQuery = TagType([
  'pipeline_tag',
  'dataset',
  'bucket',
  'deploy',
  ...sharedTagTypes,
])
export const DatasetTagsQuery = TagType([
  'benchmark',
  'task_categories',
  'size_categories',
  'modality',
  'format',
  'task_ids',
  'annotations_creators',
  'language_creators',
  'multilinguality',
  'source_datasets',
  ...sharedTagTypes,
])

export const TakenRepoResponse = Type.Object(
  { error: text('Message'), url: text('URL of the page of the repo') },
  { description: 'A repo has the name' },
)
