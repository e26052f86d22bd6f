import { Type, type Static } from 'typebox'
import { ListOf, Time, pageQuery } from './control.ts'
import {
  CollectionResponse,
  CollectionChangesBody,
  ItemChangesBody,
  NewCollectionBody,
  NewItemBody,
} from './hub-collections.ts'
import { OneOf } from './one-of.ts'
import { flag, integer, text } from './plain-fields.ts'
import { collectionItemTypes } from './words/hub-words.ts'

const Actor = Type.Optional(
  text('User who does it, with their rights; default: the owner, or an admin of it'),
)
const Viewer = Type.Optional(text('Shows what this user sees; default: everything'))

const collectionItem = {
  id: text('24 hex digits'),
  slug: CollectionResponse.properties.slug,
  title: CollectionResponse.properties.title,
  description: CollectionResponse.properties.description,
  owner: text('User or organization'),
  private: CollectionResponse.properties.private,
  theme: CollectionResponse.properties.theme,
  upvotes: CollectionResponse.properties.upvotes,
  size: integer('Number of items, hidden ones included'),
  createdAt: Time('Creation time'),
  updatedAt: Time('Time of the last change'),
}

export const CollectionItem = Type.Object(collectionItem, { description: 'A collection' })
export type CollectionItem = Static<typeof CollectionItem>

export const CollectionList = ListOf(CollectionItem)
export type CollectionList = Static<typeof CollectionList>

export const CollectionQuery = Type.Object({
  ...pageQuery,
  owner: Type.Optional(text('Only of this user or organization')),
  as: Viewer,
})
export type CollectionQuery = Static<typeof CollectionQuery>

export const CollectionEntry = Type.Object(
  {
    id: text('24 hex digits'),
    type: OneOf(collectionItemTypes, 'Kind'),
    target: text('`namespace/name` of a repo, id of a paper, slug of a collection'),
    title: Type.Optional(text('Title of a collection')),
    note: Type.Optional(text('Note')),
    position: integer('Place in the order, from 0'),
    private: Type.Optional(flag('Whether a repo is private')),
  },
  { description: 'An item of a collection' },
)
export type CollectionEntry = Static<typeof CollectionEntry>

export const CollectionDetail = Type.Object(
  {
    ...collectionItem,
    items: Type.Array(CollectionEntry, { description: 'Items that the user sees' }),
    hidden: integer('Number of items that the user does not see, or whose target is gone'),
    mayChange: flag('Whether the user may change the collection'),
  },
  { description: 'A collection with its items' },
)
export type CollectionDetail = Static<typeof CollectionDetail>

export const CollectionViewQuery = Type.Object({ as: Viewer })
export type CollectionViewQuery = Static<typeof CollectionViewQuery>

export const CollectionActorQuery = Type.Object({ user: Actor })
export type CollectionActorQuery = Static<typeof CollectionActorQuery>

export const CollectionEntryParams = Type.Object({
  id: text('Collection'),
  item: text('Item'),
})
export type CollectionEntryParams = Static<typeof CollectionEntryParams>

export const CreateCollectionRequest = Type.Object(
  {
    owner: NewCollectionBody.properties.namespace,
    title: NewCollectionBody.properties.title,
    description: NewCollectionBody.properties.description,
    private: NewCollectionBody.properties.private,
    user: Actor,
  },
  { additionalProperties: false },
)
export type CreateCollectionRequest = Static<typeof CreateCollectionRequest>

/** An empty description removes it. */
export const UpdateCollectionRequest = Type.Object(
  { ...CollectionChangesBody.properties, user: Actor },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateCollectionRequest = Static<typeof UpdateCollectionRequest>

export const AddCollectionEntryRequest = Type.Object(
  {
    type: OneOf(collectionItemTypes, 'Kind'),
    target: CollectionEntry.properties.target,
    note: NewItemBody.properties.note,
    user: Actor,
  },
  { additionalProperties: false },
)
export type AddCollectionEntryRequest = Static<typeof AddCollectionEntryRequest>

/** An empty note removes it. */
export const UpdateCollectionEntryRequest = Type.Object(
  { ...ItemChangesBody.properties, user: Actor },
  { additionalProperties: false, minProperties: 1 },
)
export type UpdateCollectionEntryRequest = Static<typeof UpdateCollectionEntryRequest>
