import { type Static, Type } from 'typebox'
import { LiteralOf, OneOf } from './one-of.ts'
import {
  encodings,
  gatings,
  repoRegions,
  repoTypes,
  spaceFlavors,
  storageTiers,
  visibilities,
  volumeTypes,
} from './words/hub.ts'

/** Texts of a list are sent one by one under the same name; clients of one kind leave out the list for a single one. */
const Repeated = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))

const RepoName = Type.String({ description: 'The last part of its name' })
const Organization = Type.Optional(
  Type.Union([Type.String(), Type.Null()], { description: 'Default: your own namespace' }),
)
const RepoTypeName = Type.Optional(OneOf(repoTypes, 'Default: model'))
const Visibility = Type.Optional(OneOf(visibilities, '`protected`: Spaces only'))
const Private = Type.Optional(
  Type.Union([Type.Boolean(), Type.Null()], { description: 'How older clients say `visibility`' }),
)

const ResourceGroup = Type.Optional(
  Type.Union([Type.String(), Type.Null()], {
    description: 'Of the organization that it is made in',
  }),
)

const spaceEntry = {
  key: Type.String({
    pattern: '^[a-zA-Z][_a-zA-Z0-9]*$',
    description: 'Name in the environment of the Space',
  }),
  value: Type.String(),
  description: Type.Optional(Type.String()),
}
export const SpaceVariableBody = Type.Object(spaceEntry)
/** Whatever stands in the place of it, or of its value, may be the secret. */
export const SpaceSecretBody = Type.Object(
  { ...spaceEntry, value: Type.String({ writeOnly: true }) },
  { writeOnly: true },
)
export const SpaceKeyBody = Type.Object({ key: Type.String() })

const SleepTime = Type.Integer({
  description: 'Seconds without a visitor until a Space sleeps; -1 = never. cpu-basic: two days',
})
const flavorText = `One of ${spaceFlavors.join(', ')}`
const tierText = `One of ${storageTiers.join(', ')}`

export const SpaceHardwareBody = Type.Object({
  flavor: Type.String({ description: flavorText }),
  sleepTimeSeconds: Type.Optional(SleepTime),
})
export const SpaceSleepTimeBody = Type.Object({ seconds: SleepTime })
export const SpaceDevModeBody = Type.Object({ enabled: Type.Boolean() })
export const SpaceStorageBody = Type.Object({ tier: Type.String({ description: tierText }) })
export const SpaceVolumeItem = Type.Object({
  type: OneOf(volumeTypes),
  source: Type.String({ description: '`namespace/name`' }),
  mountPath: Type.String({ description: 'In the container; begins with a slash' }),
  revision: Type.Optional(Type.String({ description: 'Of a repo. Default: main' })),
  readOnly: Type.Optional(Type.Boolean({ description: 'Repos always are' })),
  path: Type.Optional(Type.String({ description: 'What alone is mounted of it' })),
})
export const SpaceVolumesBody = Type.Object({
  volumes: Type.Array(SpaceVolumeItem, { description: 'In the place of all that it has' }),
})
export const SpaceRestartQuery = Type.Object({
  factory: Type.Optional(Type.Boolean({ description: 'From nothing: the same here' })),
})

/** A text in the place of the whole may have secrets in it. */
const bearsSecrets = { writeOnly: true }
/** What a Space may be made with; other repos let it pass. */
const spaceOptions = {
  hardware: Type.Optional(Type.String({ description: `Spaces: ${flavorText}` })),
  storageTier: Type.Optional(Type.String({ description: `Spaces: ${tierText}` })),
  sleepTimeSeconds: Type.Optional(SleepTime),
  volumes: Type.Optional(
    Type.Array(SpaceVolumeItem, { description: 'What a Space has mounted; nothing here is' }),
  ),
  secrets: Type.Optional(
    Type.Array(SpaceSecretBody, {
      writeOnly: true,
      description: 'Secrets of a Space: the values are not kept',
    }),
  ),
  variables: Type.Optional(
    Type.Array(SpaceVariableBody, { description: 'Environment of a Space that is no secret' }),
  ),
}

export const CreateRepoBody = Type.Object(
  {
    name: RepoName,
    organization: Organization,
    type: Type.Optional(
      OneOf([...repoTypes, 'kernel'], 'Default: model; kernels are not emulated'),
    ),
    visibility: Visibility,
    private: Private,
    sdk: Type.Optional(Type.String({ description: 'Spaces need one' })),
    template: Type.Optional(
      Type.String({ description: 'Spaces: what one is made of, of which the sandbox has none' }),
    ),
    region: Type.Optional(OneOf(repoRegions, 'Where it is kept, as far as it tells. Default: us')),
    license: Type.Optional(Type.String({ description: 'Makes a README.md that names it' })),
    files: Type.Optional(
      Type.Array(
        Type.Object({
          path: Type.String(),
          content: Type.String(),
          encoding: Type.Optional(OneOf(encodings, 'Default: utf-8')),
        }),
        { description: 'Of the first commit' },
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
  fromRepo: Type.String({ description: '`namespace/name`' }),
  toRepo: Type.String({ description: '`namespace/name`' }),
  type: RepoTypeName,
})

export const RepoSettingsBody = Type.Object({
  visibility: Visibility,
  private: Private,
  gated: Type.Optional(LiteralOf([false, ...gatings])),
})
export type RepoSettingsBody = Static<typeof RepoSettingsBody>

export const DuplicateRepoBody = Type.Object(
  {
    repository: Type.String({ description: '`namespace/name` of the copy' }),
    visibility: Visibility,
    private: Private,
    resourceGroupId: ResourceGroup,
    ...spaceOptions,
  },
  bearsSecrets,
)

export const RepoInfoQuery = Type.Object({
  blobs: Type.Optional(Type.Boolean({ description: 'Sizes and object ids of the files' })),
  expand: Repeated('Just these members'),
  'expand[]': Repeated('As `expand`'),
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
  author: Type.Optional(Type.String({ description: 'Namespace' })),
  search: Repeated('Words in the name, all of them'),
  filter: Repeated('Tags, all of them'),
  'filter[]': Repeated('As `filter`'),
  tags: Repeated('As `filter`'),
  library: Repeated('Tags of a library, all of them'),
  language: Repeated('Codes of languages, all of them'),
  trained_dataset: Repeated('Datasets that a model was trained on, all of them'),
  pipeline_tag: Type.Optional(Type.String()),
  gated: Type.Optional(Type.Boolean()),
  apps: Repeated('Apps that run a model: of none it is known'),
  inference: Type.Optional(Type.String({ description: '`warm`: models that are served; none is' })),
  inference_provider: Repeated('Providers that serve a model: none does'),
  num_parameters: Type.Optional(
    Type.String({ description: '`min:6B,max:128B`: of no model it is known' }),
  ),
  linked: Type.Optional(Type.Boolean({ description: 'Spaces that name a model or a dataset' })),
  models: Repeated('Models that a Space names, all of them'),
  datasets: Repeated('Datasets that a Space names, all of them'),
  sort: Type.Optional(OneOf(repoSorts, 'Default: trendingScore; the highest first')),
  direction: Type.Optional(Type.String({ description: '-1 is the one that there is' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'Of a page; default 1000' })),
  cursor: Type.Optional(Type.String({ description: 'Where the page before ended' })),
  full: Type.Optional(Type.Boolean()),
  cardData: Type.Optional(Type.Boolean()),
  config: Type.Optional(Type.Boolean()),
  expand: Repeated('Just these members'),
  'expand[]': Repeated('As `expand`'),
})
export type RepoListQuery = Static<typeof RepoListQuery>
