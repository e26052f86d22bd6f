import { Refusal } from '../../core/refusal.ts'
import { decide } from '../access/access.ts'
import { ownerName } from './collections.ts'
import {
  addItemAs,
  createCollectionAs,
  deleteCollectionAs,
  removeItemAs,
  updateCollectionAs,
  updateItemAs,
} from './collection-acts.ts'
import type { HubCollection } from '../../store/entities/hub-entities.ts'
import { requireUser } from '../../store/lookups.ts'
import { nameKey } from '../../store/state.ts'
import { cardReader } from '../http/read-card.ts'
import { control, type ControlRoutes } from '../../web/control-route.ts'
import type { HubServices } from '../services.ts'
import { checkNamespaceFilter } from '../access/namespace-filter.ts'
import { newestFirst, pageOf } from '../../web/page.ts'
import { describeCollection, describeCollectionInDetail } from './control-view.ts'

/** Collections of users and organizations. */
export const collectionRoutes: ControlRoutes<HubServices> = async (app, { deps }) => {
  const { hubCollections } = deps.state

  control(app, 'GET collections', async ({ query }) => {
    checkNamespaceFilter(deps.state, 'owner', query.owner)
    const owner = query.owner === undefined ? undefined : nameKey(query.owner)
    const isSeen = visibleTo(query.as)
    const collections = newestFirst(hubCollections.values())
      .filter(({ ownerId }) => owner === undefined || ownerKey(ownerId) === owner)
      .filter(isSeen)
      .toSorted((one, other) => other.updatedAt - one.updatedAt)
    return pageOf(
      collections,
      query,
      ({ id }) => id,
      (collection) => describeCollection(deps, collection),
    )
  })

  control(app, 'POST collections', async ({ body }) =>
    inDetail(createCollectionAs(deps, body), body.user),
  )

  control(app, 'GET collections/:id', async ({ params, query }) => {
    const collection = find(params.id)
    if (visibleTo(query.as)(collection)) return inDetail(collection, query.as)
    throw new Refusal('not_found', `${query.as} does not see this collection: it is private.`)
  })

  control(app, 'PATCH collections/:id', async ({ params, body }) =>
    inDetail(updateCollectionAs(deps, find(params.id), body), body.user),
  )

  control(app, 'DELETE collections/:id', async ({ params, query }) => {
    deleteCollectionAs(deps, find(params.id), query)
    return {}
  })

  control(app, 'POST collections/:id/items', async ({ params, body }) =>
    inDetail(addItemAs(deps, find(params.id), body), body.user),
  )

  control(app, 'PATCH collections/:id/items/:item', async ({ params, body }) =>
    inDetail(updateItemAs(deps, find(params.id), params.item, body), body.user),
  )

  control(app, 'DELETE collections/:id/items/:item', async ({ params, query }) =>
    inDetail(removeItemAs(deps, find(params.id), params.item, query), query.user),
  )

  const ownerKey = (ownerId: string) => nameKey(ownerName(deps.state, ownerId))

  const inDetail = async (collection: HubCollection, username: string | undefined) =>
    describeCollectionInDetail(deps, collection, { username, readCard: await cardReader() })

  function visibleTo(username: string | undefined): (collection: HubCollection) => boolean {
    if (username === undefined) return () => true
    const user = requireUser(deps, username, 'as')
    const principal = { kind: 'session', user } as const
    return (collection) =>
      decide(deps, principal, { action: 'collection.read', collection }).allowed
  }

  function find(id: string): HubCollection {
    const collection = hubCollections.get(id)
    if (collection !== undefined) return collection
    throw new Refusal('not_found', `No collection has the id ${id}.`)
  }
}
