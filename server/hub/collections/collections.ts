import type { CollectionItemType, CollectionTheme } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import type { HubCollection } from '../../store/entities/hub-entities.ts'
import { nameKey, type State } from '../../store/state.ts'
import { decide, permit, type PermitDeps } from '../access/access.ts'
import type { CollectionAction } from '../access/access-rules.ts'
import { findRepo } from '../access/find-repo.ts'
import type { Principal } from '../access/principal.ts'
import { findNamespace, type NamespaceOwner, repoKey } from '../files/repo-names.ts'
import type { HubDeps } from '../hub-deps.ts'
import { forgetMarksOn } from '../people/marks.ts'

/** Items of a collection, since each change writes all of them. */
const mostItems = 5000

type CollectionDeps = PermitDeps & Pick<HubDeps, 'state' | 'clock' | 'ids' | 'bus'>
type Item = HubCollection['items'][number]

/** Item as a client names it. */
export interface ItemReference {
  type: CollectionItemType
  id: string
}

/** Formats `namespace/words-of-the-title-id`; only the id at the end identifies the collection. */
export function collectionSlug(
  { state }: { state: Pick<State, 'users' | 'organizations'> },
  { ownerId, title, id }: HubCollection,
): string {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return `${ownerName(state, ownerId)}/${[...words, id].join('-')}`
}

/**
 * Finds a collection by its slug, also by an earlier one, and checks that the caller may do something with it.
 * @param slug with the namespace
 * @throws {Refusal} `not_found`, also for a collection that the caller may not see
 */
export function openCollection(
  deps: PermitDeps,
  principal: Principal,
  { slug, action }: { slug: string; action: CollectionAction },
): HubCollection {
  const collection = findCollection(deps, slug)
  if (collection === undefined) {
    throw new Refusal('not_found', 'Collection not found', {
      detail: `no collection has the slug ${slug}`,
    })
  }
  permit(deps, principal, { action, collection })
  return collection
}

/**
 * Creates a collection, with the given item.
 * @throws {Refusal} `conflict` with the `slug` of a collection of the same title, or as {@link addItem}
 */
export function createCollection(
  deps: CollectionDeps,
  principal: Principal,
  input: {
    owner: NamespaceOwner
    title: string
    description?: string
    private?: boolean
    item?: ItemReference
    resourceGroupId?: string
  },
): HubCollection {
  const { state, clock, ids } = deps
  const { owner, title, description = '', item, resourceGroupId } = input
  requireGroup(deps, owner.id, resourceGroupId)
  const same = collectionsOf(state, owner.id).find((one) => nameKey(one.title) === nameKey(title))
  if (same !== undefined) {
    throw new Refusal('conflict', `${owner.name} already has a collection ${title}`, {
      facts: { slug: collectionSlug(deps, same) },
    })
  }
  const found = item === undefined ? [] : [newItem(deps, principal, item)]
  const now = clock.now()
  return store(deps, {
    id: ids.of('collection', owner.id).objectId(),
    ownerId: owner.id,
    title,
    ...(description !== '' && { description }),
    ...omitUndefined({ resourceGroupId }),
    private: input.private ?? false,
    theme: 'orange',
    items: found,
    createdAt: now,
    updatedAt: now,
  })
}

/** Changes the given fields; `position` moves the collection among those of its owner. */
export function updateCollection(
  deps: CollectionDeps,
  collection: HubCollection,
  changes: {
    title?: string
    description?: string
    private?: boolean
    theme?: CollectionTheme
    position?: number
  },
): HubCollection {
  const { position, ...rest } = changes
  const changed = touch(deps, { ...collection, ...rest })
  if (position === undefined) return changed
  const others = collectionsOf(deps.state, collection.ownerId).filter(({ id }) => id !== changed.id)
  for (const [place, one] of others.toSpliced(position, 0, changed).entries()) {
    if (one.position !== place) store(deps, { ...one, position: place })
  }
  return deps.state.hubCollections.get(changed.id) ?? changed
}

/** Deletes a collection with its upvotes, and takes it out of other collections. */
export function deleteCollection(
  { state, bus }: Pick<HubDeps, 'state' | 'bus'>,
  { id }: HubCollection,
): void {
  forgetMarksOn({ state }, id)
  for (const other of state.hubCollections.values()) {
    const items = other.items.filter(
      ({ type, target }) => type !== 'collection' || collectionIdOf(target) !== id,
    )
    if (items.length < other.items.length) state.hubCollections.put({ ...other, items })
  }
  state.hubCollections.delete(id)
  bus.emit('collection.changed', { collectionId: id })
}

/**
 * Adds an item at the end.
 * @throws {Refusal} `not_found` if the caller cannot see it, `conflict` if the collection has it, `invalid` if it is full
 */
export function addItem(
  deps: CollectionDeps,
  principal: Principal,
  collection: HubCollection,
  { item, note = '' }: { item: ItemReference; note?: string },
): HubCollection {
  const added = newItem(deps, principal, item)
  const key = itemKey(added)
  if (collection.items.some((one) => itemKey(one) === key)) {
    throw new Refusal('conflict', `The collection already has the ${item.type} ${item.id}`)
  }
  if (collection.items.length >= mostItems) {
    throw new Refusal('invalid', `A collection has at most ${mostItems} items`)
  }
  const items = [...collection.items, { ...added, ...(note !== '' && { note }) }]
  return touch(deps, { ...collection, items })
}

/** Changes the note, and moves the item to another place. @throws {Refusal} `not_found` */
export function updateItem(
  deps: CollectionDeps,
  collection: HubCollection,
  { itemId, note, position }: { itemId: string; note?: string; position?: number },
): HubCollection {
  const index = requireItem(collection, itemId)
  const items = collection.items.map((item, place) => {
    if (place !== index || note === undefined) return item
    const { note: _before, ...rest } = item
    return note === '' ? rest : { ...rest, note }
  })
  const moved = position === undefined ? items : moveTo(items, index, position)
  return touch(deps, { ...collection, items: moved })
}

/**
 * Changes several items in the given order, all or none.
 * @throws {Refusal} `not_found` if the collection lacks one of them
 */
export function updateItems(
  deps: CollectionDeps,
  collection: HubCollection,
  changes: readonly { itemId: string; note?: string; position?: number }[],
): HubCollection {
  for (const { itemId } of changes) requireItem(collection, itemId)
  return changes.reduce((current, change) => updateItem(deps, current, change), collection)
}

/**
 * Assigns a collection to a resource group of its organization, or to none.
 * @throws {Refusal} `not_found` for an unknown group, also for a collection of a user
 */
export function setResourceGroup(
  deps: Pick<HubDeps, 'state' | 'bus'>,
  collection: HubCollection,
  groupId: string | null,
): HubCollection {
  const { resourceGroupId: _before, ...rest } = collection
  requireGroup(deps, collection.ownerId, groupId ?? undefined)
  return store(deps, {
    ...rest,
    ...(groupId !== null && { resourceGroupId: groupId }),
  })
}

/** @throws {Refusal} `not_found` */
export function removeItem(
  deps: CollectionDeps,
  collection: HubCollection,
  itemId: string,
): HubCollection {
  const index = requireItem(collection, itemId)
  return touch(deps, { ...collection, items: collection.items.toSpliced(index, 1) })
}

/** Lists the collections of an owner in the order of the owner's page. */
export function collectionsOf(
  state: Pick<State, 'hubCollections'>,
  ownerId: string,
): HubCollection[] {
  const collections = state.hubCollections.group('owner', ownerId)
  const placeOf = (collection: HubCollection, index: number) => collection.position ?? index
  return collections
    .map((collection, index) => ({ collection, place: placeOf(collection, index) }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ collection }) => collection)
}

/** Finds the collection of a slug by the id at its end. */
export function findCollection(
  { state }: { state: Pick<State, 'users' | 'organizations' | 'hubCollections'> },
  slug: string,
): HubCollection | undefined {
  const [, namespace = '', id = ''] = /^([^/]+)\/(?:.*-)?([0-9a-f]{24})$/.exec(slug) ?? []
  const collection = state.hubCollections.get(id)
  const isTheirs = findNamespace(state, namespace)?.id === collection?.ownerId
  return isTheirs ? collection : undefined
}

/** Returns the namespace of an owner, or the id of one that is gone. */
export function ownerName(state: Pick<State, 'users' | 'organizations'>, ownerId: string): string {
  return state.users.get(ownerId)?.username ?? state.organizations.get(ownerId)?.name ?? ownerId
}

/** Builds an item. @throws {Refusal} `not_found` if the caller cannot see it */
function newItem(deps: CollectionDeps, principal: Principal, { type, id }: ItemReference): Item {
  const target = findTarget(deps, principal, { type, id })
  if (target === undefined) throw new Refusal('not_found', `There is no ${type} ${id}`)
  return { id: deps.ids.of('collection item', type, target).objectId(), type, target }
}

function findTarget(
  deps: CollectionDeps,
  principal: Principal,
  { type, id }: ItemReference,
): string | undefined {
  // Which papers exist is not known here.
  if (type === 'paper') return /^\d{4}\.\d{4,5}$/.test(id) ? id : undefined
  if (type === 'collection') {
    const collection = deps.state.hubCollections.get(id) ?? findCollection(deps, id)
    const isSeen =
      collection !== undefined &&
      decide(deps, principal, { action: 'collection.read', collection }).allowed
    return isSeen ? collectionSlug(deps, collection) : undefined
  }
  const repo = findRepo(deps, type, id)?.repo
  const isSeen =
    repo !== undefined && decide(deps, principal, { action: 'repo.read', repo }).allowed
  return isSeen ? repo.name : undefined
}

/** Id at the end of a slug, whose words and namespace may be former ones. */
export function collectionIdOf(slug: string): string {
  return slug.slice(-24)
}

/** Identifies an item: letter case of repos and words of slugs do not count. */
export function itemKey({ type, target }: Pick<Item, 'type' | 'target'>): string {
  if (type === 'paper') return `paper/${target}`
  return type === 'collection' ? `collection/${collectionIdOf(target)}` : repoKey(type, target)
}

function requireItem({ items }: HubCollection, itemId: string): number {
  const index = items.findIndex(({ id }) => id === itemId)
  if (index !== -1) return index
  throw new Refusal('not_found', `The collection has no item ${itemId}`)
}

function requireGroup(
  { state }: Pick<HubDeps, 'state'>,
  ownerId: string,
  groupId: string | undefined,
): void {
  const groups = state.organizations.get(ownerId)?.resourceGroups ?? []
  if (groupId === undefined || groups.some(({ id }) => id === groupId)) return
  throw new Refusal('not_found', `Resource group not found: ${groupId}`)
}

function moveTo<T>(items: readonly T[], index: number, position: number): T[] {
  const moved = items.slice(index, index + 1)
  return items.toSpliced(index, 1).toSpliced(position, 0, ...moved)
}

function touch(deps: CollectionDeps, collection: HubCollection): HubCollection {
  return store(deps, { ...collection, updatedAt: deps.clock.now() })
}

function store(
  { state, bus }: Pick<HubDeps, 'state' | 'bus'>,
  collection: HubCollection,
): HubCollection {
  const stored = state.hubCollections.put(collection)
  bus.emit('collection.changed', { collectionId: stored.id })
  return stored
}
