import type {
  AddCollectionEntryRequest,
  CreateCollectionRequest,
  UpdateCollectionEntryRequest,
  UpdateCollectionRequest,
} from '../../contract/control-collections.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import {
  addItem,
  createCollection,
  deleteCollection,
  removeItem,
  updateCollection,
  updateItem,
} from './collections.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { HubCollection } from '../../store/entities/hub-entities.ts'
import { permitAs, requireActor, requireOwner } from '../access/act-as.ts'

// Actions of a Hub user on collections, with the Hub's rules. Each throws the Hub's own refusals.

/** The acting user; default: the owner, or an admin of it. */
type Actor = { user?: string }

export function createCollectionAs(
  deps: Deps,
  { owner: namespace, user: username, ...input }: CreateCollectionRequest,
): HubCollection {
  const owner = requireOwner(deps, namespace, 'owner')
  const user = requireActor(deps, username, owner.id)
  permitAs(deps, user, { action: 'collection.create', ownerId: owner.id })
  return createCollection(deps, { kind: 'session', user }, { owner, ...omitUndefined(input) })
}

export function updateCollectionAs(
  deps: Deps,
  collection: HubCollection,
  { user, ...changes }: UpdateCollectionRequest,
): HubCollection {
  permitWriter(deps, collection, user)
  return updateCollection(deps, collection, omitUndefined(changes))
}

export function deleteCollectionAs(deps: Deps, collection: HubCollection, { user }: Actor): void {
  permitWriter(deps, collection, user)
  deleteCollection(deps, collection)
}

export function addItemAs(
  deps: Deps,
  collection: HubCollection,
  { user: username, type, target, note }: AddCollectionEntryRequest,
): HubCollection {
  const user = permitWriter(deps, collection, username)
  const added = { item: { type, id: target }, ...omitUndefined({ note }) }
  return addItem(deps, { kind: 'session', user }, collection, added)
}

export function updateItemAs(
  deps: Deps,
  collection: HubCollection,
  itemId: string,
  { user, ...changes }: UpdateCollectionEntryRequest,
): HubCollection {
  permitWriter(deps, collection, user)
  return updateItem(deps, collection, { itemId, ...omitUndefined(changes) })
}

export function removeItemAs(
  deps: Deps,
  collection: HubCollection,
  itemId: string,
  { user }: Actor,
): HubCollection {
  permitWriter(deps, collection, user)
  return removeItem(deps, collection, itemId)
}

function permitWriter(deps: Deps, collection: HubCollection, username: string | undefined): User {
  const user = requireActor(deps, username, collection.ownerId)
  permitAs(deps, user, { action: 'collection.write', collection })
  return user
}
