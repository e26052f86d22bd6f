import { type Static, Type } from 'typebox'
import { OneOf } from './one-of.ts'
import { AuthorResponse } from './hub-people.ts'
import { collectionItemTypes, collectionThemes } from './words/hub-words.ts'
import { flag, integer, text } from './plain-fields.ts'

// Collections in the hub's API. Responses may have further fields, which clients ignore.

const Id = text('24 hex digits')
const Time = Type.String({ format: 'date-time' })
const Title = Type.String({ minLength: 1, maxLength: 60, description: 'Title' })
const Description = Type.String({ maxLength: 150, description: 'Description' })
const Private = flag('Whether only members of the namespace see it')
const Note = Type.String({ maxLength: 500, description: 'Note' })
const Position = Type.Integer({ minimum: 0, description: 'New place in the order, from 0' })
const Repeated = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description }))

export const ResourceGroupId = Type.Union([Id, Type.Null()], {
  description: 'Resource group of the organization; null = none',
})

export const CollectionsQuery = Type.Object({
  owner: Repeated('Only collections of one of these users or organizations'),
  item: Repeated('Only collections with one of these items, such as models/acme/tiny'),
  q: Type.Optional(text('Text in the title or description')),
  sort: Type.Optional(
    OneOf(
      ['lastModified', 'trending', 'upvotes'],
      '`upvotes`: most upvotes first; else the latest change first',
    ),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, description: 'Collections per page; default 10' }),
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
    _id: Id,
    data: ItemChangesBody,
  }),
  { maxItems: 1000, description: 'Changes, made in this order, all or none' },
)
export type ItemsBatchBody = Static<typeof ItemsBatchBody>
export const ResourceGroupBody = Type.Object({ resourceGroupId: ResourceGroupId })

export const CollectionItemResponse = Type.Object({
  _id: Id,
  type: OneOf(collectionItemTypes, 'Kind'),
  id: text('`namespace/name` of a repo, id of a paper or collection'),
  position: integer('Place in the order, from 0'),
  note: Type.Optional(
    Type.Object({ text: Type.String(), html: Type.String() }, { description: 'Note' }),
  ),
  // repos
  repoType: Type.Optional(Type.String()),
  author: Type.Optional(text('Namespace of a repo')),
  private: Type.Optional(Type.Boolean()),
  gated: Type.Optional(
    Type.Union([Type.Boolean(), Type.String()], { description: '`auto`, `manual` or false' }),
  ),
  likes: Type.Optional(Type.Integer()),
  downloads: Type.Optional(Type.Integer()),
  lastModified: Type.Optional(Time),
  isLikedByUser: Type.Optional(flag('Whether you like the repo')),
  // buckets
  size: Type.Optional(integer('Bytes of all files of a bucket')),
  totalFiles: Type.Optional(integer('Number of files of a bucket')),
  // models, Spaces and buckets
  authorData: Type.Optional(AuthorResponse),
  // Spaces and collections
  title: Type.Optional(Type.String()),
  // Spaces
  emoji: Type.Optional(Type.String()),
  colorFrom: Type.Optional(Type.String()),
  colorTo: Type.Optional(Type.String()),
  shortDescription: Type.Optional(Type.String()),
  sdk: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  tags: Type.Optional(Type.Array(Type.String())),
  visibility: Type.Optional(Type.String()),
  runtime: Type.Optional(Type.Unknown({ description: 'State of the machine' })),
  createdAt: Type.Optional(Time),
  // collections
  slug: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  owner: Type.Optional(AuthorResponse),
  shareUrl: Type.Optional(Type.String()),
  theme: Type.Optional(OneOf(collectionThemes, 'Colour')),
  numberItems: Type.Optional(integer('Number of items that you may see')),
  lastUpdated: Type.Optional(Time),
  upvotes: Type.Optional(Type.Integer()),
  isUpvotedByUser: Type.Optional(Type.Boolean()),
})
export type CollectionItemResponse = Static<typeof CollectionItemResponse>

const listed = {
  slug: text('`namespace/words-id`'),
  title: Type.String(),
  description: Type.Optional(Type.String()),
  owner: AuthorResponse,
  items: Type.Array(CollectionItemResponse, {
    description: 'Items that the caller may see; at most four in a list',
  }),
  lastUpdated: Time,
  private: Private,
  theme: OneOf(collectionThemes, 'Colour'),
  upvotes: integer('Number of users who upvoted it'),
  isUpvotedByUser: flag('Whether you upvoted it'),
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
