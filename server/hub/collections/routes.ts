import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { permit } from '../access/access.ts'
import type { CollectionAction } from '../access/access-rules.ts'
import { requireNamespace } from '../access/namespaces.ts'
import { cardReader } from '../http/read-card.ts'
import { describeCollection, listCollections } from './collection-view.ts'
import {
  addItem,
  collectionSlug,
  createCollection,
  deleteCollection,
  openCollection,
  removeItem,
  setResourceGroup,
  updateCollection,
  updateItem,
  updateItems,
} from './collections.ts'
import { groupOfRepo } from '../repos/repo-info.ts'
import { takeUpvoteBack, upvote } from './upvotes.ts'
import type { HubCollection } from '../../store/entities/hub-entities.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { linkNextPage } from '../http/next-page.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Collections of users and organizations. */
export const collectionRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  hub(app, 'GET /api/collections', async (request, reply) => {
    const viewer = { principal: request.principal, readCard: await cardReader() }
    const { collections, nextCursor } = listCollections(deps, viewer, request.query)
    if (nextCursor !== undefined) linkNextPage(request, reply, nextCursor)
    return reply.send(collections)
  })

  hub(app, 'POST /api/collections', (request) => {
    const { principal, body } = request
    const { namespace, resourceGroupId, ...input } = body
    const owner = requireNamespace(deps, namespace)
    const group = omitUndefined({ resourceGroupId: resourceGroupId ?? undefined })
    permit(deps, principal, { action: 'collection.create', ownerId: owner.id, ...group })
    const made = createCollection(deps, principal, { owner, ...omitUndefined(input), ...group })
    return describe(request, made)
  })

  hub(app, 'GET /api/collections/:namespace/:slug', (request) =>
    describe(request, collectionOf(request, 'collection.read')),
  )

  hub(app, 'PATCH /api/collections/:namespace/:slug', async (request) => {
    const collection = collectionOf(request, 'collection.write')
    const changed = updateCollection(deps, collection, omitUndefined(request.body))
    return { success: true, data: await describe(request, changed) }
  })

  hub(app, 'DELETE /api/collections/:namespace/:slug', (request) => {
    deleteCollection(deps, collectionOf(request, 'collection.write'))
    return {}
  })

  hub(app, 'POST /api/collections/:namespace/:slug/items', (request) => {
    const { principal, body } = request
    const collection = collectionOf(request, 'collection.write')
    return describe(request, addItem(deps, principal, collection, omitUndefined(body)))
  })

  hub(app, 'POST /api/collections/:namespace/:slug/items/batch', (request) => {
    const changes = request.body.map(({ _id: id, data }) => ({
      itemId: id,
      ...omitUndefined(data),
    }))
    updateItems(deps, collectionOf(request, 'collection.write'), changes)
    return {}
  })

  hub(app, 'POST /api/collections/:namespace/:slug/resource-group', (request) => {
    const { user } = signedIn(request)
    const collection = collectionOf(request, 'collection.write')
    setResourceGroup(deps, collection, request.body.resourceGroupId)
    const { id, title, private: isPrivate } = collection
    const slug = collectionSlug(deps, collection)
    return { id, slug, title, private: isPrivate, addedBy: user.username }
  })

  hub(app, 'GET /api/collections/:namespace/:slug/resource-group', (request) => {
    const collection = collectionOf(request, 'collection.read')
    const group = groupOfRepo(deps, collection)
    if (group !== undefined) return group
    throw new Refusal('not_found', `${collection.title} is in no resource group`)
  })

  hub(app, 'POST /api/collections/:namespace/:slug/upvote', (request) => {
    upvote(deps, upvoteOf(request))
    return {}
  })

  hub(app, 'DELETE /api/collections/:namespace/:slug/upvote', (request) => {
    takeUpvoteBack(deps, upvoteOf(request))
    return {}
  })

  hub(app, 'PATCH /api/collections/:namespace/:slug/items/:itemId', (request) => {
    const collection = collectionOf(request, 'collection.write')
    const { itemId: id } = request.params
    updateItem(deps, collection, { itemId: id, ...omitUndefined(request.body) })
    return {}
  })

  hub(app, 'DELETE /api/collections/:namespace/:slug/items/:itemId', (request) => {
    removeItem(deps, collectionOf(request, 'collection.write'), request.params.itemId)
    return {}
  })

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
