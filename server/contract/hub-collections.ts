import { type Static, type TProperties, Type } from 'typebox'
import { OneOf } from './one-of.ts'
import { CdnRegions } from './hub-buckets.ts'
import { AuthorResponse } from './hub-people.ts'
import { GroupId } from './hub-repos.ts'
import {
  type AnyRepoType,
  collectionItemTypes,
  collectionThemes,
  visibilities,
} from './words/hub-words.ts'
import { flag, integer, text } from './plain-fields.ts'

// Collections in the hub's API. Responses may have further fields, which clients ignore.

const Id = text('24 hex digits')
const ItemId = Type.String({ minLength: 24, maxLength: 24, pattern: '^[0-9a-f]{24}$' })
const Time = Type.String({ format: 'date-time' })
const Title = Type.String({ minLength: 1, maxLength: 60, description: 'Title' })
const Description = Type.String({ maxLength: 150, description: 'Description' })
const Private = flag('Whether only members of the namespace see it')
const Note = Type.String({ maxLength: 500, description: 'Note' })
const Position = Type.Integer({ minimum: 0, description: 'New place in the order, from 0' })
const Repeated = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))

export const ResourceGroupId = Type.Union([GroupId, Type.Null()], {
  description: 'Resource group of the organization; null = none',
})

const ItemPath = Type.String({
  pattern: '^spaces|models|datasets|papers\\/.*',
  description: 'Such as models/acme/tiny',
})

export const CollectionsQuery = Type.Object({
  owner: Repeated('Only collections of one of these users or organizations'),
  item: Type.Optional(
    Type.Union([ItemPath, Type.Array(ItemPath)], {
      description: 'Only collections with one of these items',
    }),
  ),
  q: Type.Optional(text('Text in the title or description')),
  sort: Type.Optional(
    OneOf(
      ['lastModified', 'trending', 'upvotes'],
      '`upvotes`: most upvotes first; else the latest change first',
      'trending',
    ),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 10,
      description: 'Collections per page',
    }),
  ),
  cursor: Type.Optional(text('Position from the `Link` header of the previous page')),
})
export type CollectionsQuery = Static<typeof CollectionsQuery>

const ItemReference = Type.Object({
  type: OneOf(collectionItemTypes, 'Kind'),
  id: text('`namespace/name` of a repo, id of a paper, slug of a collection'),
})
export const NewCollectionBody = Type.Object({
  title: Title,
  namespace: text('User or organization'),
  description: Type.Optional(Description),
  private: Type.Optional(Private),
  item: Type.Optional(ItemReference),
  resourceGroupId: Type.Optional(ResourceGroupId),
})
export const CollectionChangesBody = Type.Object({
  title: Type.Optional(Title),
  description: Type.Optional(Description),
  private: Type.Optional(Private),
  theme: Type.Optional(OneOf(collectionThemes, 'Colour')),
  position: Type.Optional(Position),
})
export const NewItemBody = Type.Object({ item: ItemReference, note: Type.Optional(Note) })
export const ItemChangesBody = Type.Object({
  note: Type.Optional(Note),
  position: Type.Optional(Position),
})
export const ItemsBatchBody = Type.Array(
  Type.Object({
    action: OneOf(['update'], 'What to do'),
    _id: ItemId,
    data: ItemChangesBody,
  }),
  { maxItems: 1000, description: 'Changes, made in this order, all or none' },
)
export type ItemsBatchBody = Static<typeof ItemsBatchBody>
export const ResourceGroupBody = Type.Object({ resourceGroupId: ResourceGroupId })

const itemMembers = {
  _id: Id,
  position: integer('Place in the order, from 0'),
  note: Type.Optional(
    Type.Object({ text: Type.String(), html: Type.String() }, { description: 'Note' }),
  ),
}
const likedMembers = {
  likes: Type.Integer(),
  isLikedByUser: flag('Whether you like the repo'),
  lastModified: Time,
}
const repoMembers = <T extends AnyRepoType>(type: T) => ({
  id: text('`namespace/name`'),
  repoType: OneOf([type]),
  author: text('Namespace of the repo'),
  private: Type.Boolean(),
})
const downloadedMembers = {
  ...likedMembers,
  downloads: Type.Integer(),
  gated: Type.Union([Type.Boolean(), Type.String()], { description: '`auto`, `manual` or false' }),
}
const summaryMembers = {
  slug: text('`namespace/words-id`'),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  owner: AuthorResponse,
  lastUpdated: Time,
  theme: OneOf(collectionThemes, 'Colour'),
  upvotes: integer('Number of users who upvoted it'),
  isUpvotedByUser: flag('Whether you upvoted it'),
}

/** Repos as the Hub shows them on cards, by their type. */
export const repoCards = {
  model: Type.Object({
    ...repoMembers('model'),
    ...downloadedMembers,
    authorData: AuthorResponse,
    pipeline_tag: Type.Optional(text('Task')),
    availableInferenceProviders: Type.Array(
      Type.Object({
        provider: text('Provider'),
        providerStatus: text('live'),
        modelStatus: text('live'),
        providerId: text('Name of the model there'),
        task: text('Task there'),
        isCheapestPricingOutput: Type.Boolean(),
        isFastestThroughput: Type.Boolean(),
        isModelAuthor: Type.Boolean(),
      }),
    ),
  }),
  dataset: Type.Object({ ...repoMembers('dataset'), ...downloadedMembers }),
  space: Type.Object({
    ...repoMembers('space'),
    ...likedMembers,
    authorData: AuthorResponse,
    title: Type.String(),
    emoji: Type.String(),
    colorFrom: Type.String(),
    colorTo: Type.String(),
    shortDescription: Type.Optional(Type.String()),
    sdk: Type.Optional(Type.String()),
    tags: Type.Array(Type.String()),
    visibility: OneOf(visibilities, 'Visibility'),
    runtime: Type.Unknown({ description: 'State of the machine' }),
    createdAt: Time,
    pinned: flag('Always false'),
    featured: flag('Always false'),
    disabled: flag('Whether the Hub disabled it'),
  }),
}

const itemOf = <T extends AnyRepoType, P extends TProperties>(type: T, members: P) =>
  Type.Object({ ...itemMembers, type: OneOf([type], 'Kind'), ...members })

/** Member of a collection: each kind has members of its own. */
export const CollectionItemResponse = Type.Union([
  itemOf('model', repoCards.model.properties),
  itemOf('dataset', repoCards.dataset.properties),
  itemOf('space', repoCards.space.properties),
  itemOf('bucket', {
    ...repoMembers('bucket'),
    createdAt: Time,
    updatedAt: Time,
    size: integer('Bytes of all files'),
    totalFiles: integer('Number of files'),
    cdnRegions: CdnRegions,
  }),
  Type.Object({
    ...itemMembers,
    type: OneOf(['paper'], 'Kind'),
    id: text('Id of the paper'),
    title: text('Its id: the sandbox has no papers'),
    upvotes: integer('Always 0'),
    publishedAt: Type.String({ format: 'date-time', description: 'First of the month in its id' }),
  }),
  Type.Object({
    ...itemMembers,
    ...summaryMembers,
    type: OneOf(['collection'], 'Kind'),
    id: text('Id of the collection'),
    shareUrl: text('URL of its page'),
    numberItems: integer('Number of items that you may see'),
  }),
])
export type CollectionItemResponse = Static<typeof CollectionItemResponse>

const listed = {
  ...summaryMembers,
  items: Type.Array(CollectionItemResponse, {
    description: 'Items that the caller may see; at most four in a list',
  }),
  private: Private,
  gating: flag('Always false'),
}
export const ListedCollectionResponse = Type.Object(listed)
export type ListedCollectionResponse = Static<typeof ListedCollectionResponse>
export const CollectionsResponse = Type.Array(ListedCollectionResponse, {
  description: 'Latest change first',
})
export const CollectionResponse = Type.Object({
  ...listed,
  shareUrl: text('URL of the collection’s page'),
  position: integer('Place among the collections of its owner, from 0'),
})
export type CollectionResponse = Static<typeof CollectionResponse>
export const ChangedCollectionResponse = Type.Object({
  success: flag('Always true'),
  data: CollectionResponse,
})
