import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  CollectionChangesBody,
  CollectionsQuery,
  ItemChangesBody,
  ItemsBatchBody,
  NewCollectionBody,
  NewItemBody,
  ResourceGroupBody,
} from '../../../contract/hub-collections.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { permit } from '../../../hub/access/access.ts'
import type { AccessAction, CollectionAction } from '../../../hub/access/access-rules.ts'
import { requireNamespace } from '../../../hub/access/namespaces.ts'
import { cardReader } from '../../read-card.ts'
import { describeCollection, listCollections } from '../../../hub/collections/collection-view.ts'
import {
  addItem,
  createCollection,
  deleteCollection,
  openCollection,
  removeItem,
  setResourceGroup,
  updateCollection,
  updateItem,
  updateItems,
} from '../../../hub/collections/collections.ts'
import { takeUpvoteBack, upvote } from '../../../hub/collections/upvotes.ts'
import type { HubCollection } from '../../../state/entities/hub.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { linkNextPage } from '../../plugins/next-page.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['collections']
const ofCollection = Type.Object({
  namespace: Type.String({ description: 'User or organization' }),
  slug: Type.String({ description: 'Words of the title and the id; the id alone decides' }),
})
const itemId = Type.String({ description: '24 hex digits: `_id` of the item' })
const ofItem = Type.Object({ ...ofCollection.properties, itemId })
const oneCollection = '/api/collections/:namespace/:slug'

/** Collections of users and organizations. */
export const collectionRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  const forUsersTo = (action: AccessAction) => ({
    config: { needsUser: true as const, actions: [action] as const },
  })

  app.get(
    '/api/collections',
    {
      config: { actions: ['collection.read'] },
      schema: { summary: 'List collections', tags, querystring: CollectionsQuery },
    },
    async (request, reply) => {
      const viewer = { principal: request.principal, readCard: await cardReader() }
      const { collections, nextCursor } = listCollections(deps, viewer, request.query)
      if (nextCursor !== undefined) linkNextPage(request, reply, nextCursor)
      return reply.send(collections)
    },
  )

  app.post(
    '/api/collections',
    {
      ...forUsersTo('collection.create'),
      schema: { summary: 'Create a collection', tags, body: NewCollectionBody },
    },
    (request) => {
      const { principal, body } = request
      const { namespace, resourceGroupId, ...input } = body
      const owner = requireNamespace(deps, namespace)
      const group = omitUndefined({ resourceGroupId: resourceGroupId ?? undefined })
      permit(deps, principal, { action: 'collection.create', ownerId: owner.id, ...group })
      const made = createCollection(deps, principal, { owner, ...omitUndefined(input), ...group })
      return describe(request, made)
    },
  )

  app.get(
    oneCollection,
    {
      config: { actions: ['collection.read'] },
      schema: { summary: 'Get a collection', tags, params: ofCollection },
    },
    (request) => describe(request, collectionOf(request, 'collection.read')),
  )

  app.patch(
    oneCollection,
    {
      ...forUsersTo('collection.write'),
      schema: {
        summary: 'Change a collection',
        tags,
        params: ofCollection,
        body: CollectionChangesBody,
      },
    },
    async (request) => {
      const collection = collectionOf(request, 'collection.write')
      const changed = updateCollection(deps, collection, omitUndefined(request.body))
      return { success: true, data: await describe(request, changed) }
    },
  )

  app.delete(
    oneCollection,
    {
      ...forUsersTo('collection.write'),
      schema: { summary: 'Delete a collection', tags, params: ofCollection },
    },
    (request) => {
      deleteCollection(deps, collectionOf(request, 'collection.write'))
      return {}
    },
  )

  app.post(
    `${oneCollection}/items`,
    {
      ...forUsersTo('collection.write'),
      schema: { summary: 'Add an item', tags, params: ofCollection, body: NewItemBody },
    },
    (request) => {
      const { principal, body } = request
      const collection = collectionOf(request, 'collection.write')
      return describe(request, addItem(deps, principal, collection, omitUndefined(body)))
    },
  )

  app.post(
    `${oneCollection}/items/batch`,
    {
      ...forUsersTo('collection.write'),
      schema: { summary: 'Change several items', tags, params: ofCollection, body: ItemsBatchBody },
    },
    (request) => {
      const changes = request.body.map(({ _id: id, data }) => ({
        itemId: id,
        ...omitUndefined(data),
      }))
      updateItems(deps, collectionOf(request, 'collection.write'), changes)
      return {}
    },
  )

  app.post(
    `${oneCollection}/resource-group`,
    {
      ...forUsersTo('collection.write'),
      schema: {
        summary: 'Assign a collection to a resource group',
        tags,
        params: ofCollection,
        body: ResourceGroupBody,
      },
    },
    (request) => {
      const collection = collectionOf(request, 'collection.write')
      setResourceGroup(deps, collection, request.body.resourceGroupId)
      return {}
    },
  )

  // A user who sees the collection may upvote it; an app may not, since no scope permits it.
  const upvotes = { config: { accountAction: 'account' as const } }

  app.post(
    `${oneCollection}/upvote`,
    { ...upvotes, schema: { summary: 'Upvote a collection', tags, params: ofCollection } },
    (request) => {
      upvote(deps, upvoteOf(request))
      return {}
    },
  )

  app.delete(
    `${oneCollection}/upvote`,
    { ...upvotes, schema: { summary: 'Take back an upvote', tags, params: ofCollection } },
    (request) => {
      takeUpvoteBack(deps, upvoteOf(request))
      return {}
    },
  )

  app.patch(
    `${oneCollection}/items/:itemId`,
    {
      ...forUsersTo('collection.write'),
      schema: { summary: 'Change an item', tags, params: ofItem, body: ItemChangesBody },
    },
    (request) => {
      const collection = collectionOf(request, 'collection.write')
      const { itemId: id } = request.params
      updateItem(deps, collection, { itemId: id, ...omitUndefined(request.body) })
      return {}
    },
  )

  app.delete(
    `${oneCollection}/items/:itemId`,
    {
      ...forUsersTo('collection.write'),
      schema: { summary: 'Remove an item', tags, params: ofItem },
    },
    (request) => {
      removeItem(deps, collectionOf(request, 'collection.write'), request.params.itemId)
      return {}
    },
  )

  /** @throws {Refusal} `not_found`, or unless the caller may do that */
  function collectionOf(request: FastifyRequest, action: CollectionAction): HubCollection {
    const { namespace, slug } = request.params as { namespace: string; slug: string }
    return openCollection(deps, request.principal, { slug: `${namespace}/${slug}`, action })
  }

  const upvoteOf = (request: FastifyRequest) => ({
    collection: collectionOf(request, 'collection.read'),
    userId: signedIn(request).user.id,
  })

  const describe = async ({ principal }: FastifyRequest, collection: HubCollection) =>
    describeCollection(deps, { principal, readCard: await cardReader() }, collection)
}
