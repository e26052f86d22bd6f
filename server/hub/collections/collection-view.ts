import type {
  CollectionAnswer,
  CollectionItemAnswer,
  CollectionsQuery,
  ListedCollectionAnswer,
} from '../../contract/hub-collections.ts'
import { escapeHtml } from '../../core/escape-html.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { Deps } from '../../events/deps.ts'
import type { HubCollection } from '../../state/entities/hub.ts'
import { nameKey } from '../../state/state.ts'
import { decide } from '../access/access.ts'
import { avatarAddress } from '../access/account-facts.ts'
import { findRepo } from '../access/find-repo.ts'
import type { Principal } from '../access/principal.ts'
import { isUpvotedBy, upvotesOf } from './upvotes.ts'
import { collectionSlug, collectionsOf, findCollection, itemKey, ownerName } from './collections.ts'

/** Items of a collection in a list, as on the hub. */
const listedItems = 4

type ViewDeps = Pick<Deps, 'state' | 'settings'>

/** Lists the collections that the caller may see, the latest change first. */
export function listCollections(
  deps: ViewDeps,
  principal: Principal,
  query: CollectionsQuery,
): { collections: ListedCollectionAnswer[]; nextCursor?: string } {
  const { limit = 20, cursor, sort } = query
  const isBefore = sort === 'upvotes' ? hasMore(deps) : isLater
  const matching = [...deps.state.hubCollections.values()]
    .filter((collection) => matches(deps, principal, collection, query))
    .filter((collection) => isSeen(deps, principal, collection))
    .toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
  const from = cursor === undefined ? undefined : readCursor(cursor)
  const rest = from === undefined ? matching : matching.filter((one) => isBefore(from, one))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    collections: page.map((collection) => describe(deps, principal, collection, listedItems)),
    ...(rest.length > limit && last !== undefined && { nextCursor: formatCursor(deps, last) }),
  }
}

/** Describes a collection with all items that the caller may see. */
export function describeCollection(
  deps: ViewDeps,
  principal: Principal,
  collection: HubCollection,
): CollectionAnswer {
  // Counting the others would tell that there are hidden ones.
  const position = collectionsOf(deps.state, collection.ownerId)
    .filter((one) => isSeen(deps, principal, one))
    .findIndex(({ id }) => id === collection.id)
  return { ...describe(deps, principal, collection, Infinity), position }
}

function describe(
  deps: ViewDeps,
  principal: Principal,
  collection: HubCollection,
  mostItems: number,
): ListedCollectionAnswer {
  const { title, description, private: isPrivate, theme, updatedAt } = collection
  return {
    slug: collectionSlug(deps, collection),
    title,
    ...omitUndefined({ description }),
    owner: describeOwner(deps, collection.ownerId),
    items: describeItems(deps, principal, collection, mostItems),
    lastUpdated: isoTime(updatedAt),
    private: isPrivate,
    theme: theme as ListedCollectionAnswer['theme'],
    upvotes: upvotesOf(deps, collection),
    isUpvotedByUser: isUpvotedBy(deps, principal, collection),
    gating: false,
  }
}

function describeOwner({ state }: ViewDeps, ownerId: string): ListedCollectionAnswer['owner'] {
  const user = state.users.get(ownerId)
  const account = user ?? state.organizations.get(ownerId)
  const name = ownerName(state, ownerId)
  return {
    _id: ownerId,
    name,
    fullname: account?.fullname ?? name,
    avatarUrl: avatarAddress(name, account?.avatarUrl),
    type: user === undefined ? 'org' : 'user',
  }
}

function describeItems(
  deps: ViewDeps,
  principal: Principal,
  collection: HubCollection,
  most: number,
): CollectionItemAnswer[] {
  const seen: CollectionItemAnswer[] = []
  // Those who move items need the true positions; for others a gap would tell of a hidden item.
  const question = { action: 'collection.write', collection } as const
  const mayMove = decide(deps, principal, question).allowed
  for (const [index, item] of collection.items.entries()) {
    if (seen.length >= most) break
    const facts = describeTarget(deps, principal, item)
    if (facts === undefined) continue
    const { id, type, note } = item
    const position = mayMove ? index : seen.length
    const html = note === undefined ? undefined : { text: note, html: escapeHtml(note) }
    seen.push({ _id: id, type, position, ...facts, ...omitUndefined({ note: html }) })
  }
  return seen
}

type Facts = Omit<CollectionItemAnswer, '_id' | 'type' | 'position' | 'note'>

/** Describes the target of an item; `undefined` if the caller may not see it, or it is gone. */
function describeTarget(
  deps: ViewDeps,
  principal: Principal,
  { type, target }: HubCollection['items'][number],
): Facts | undefined {
  if (type === 'paper') return { id: target }
  if (type === 'collection') {
    const collection = findCollection(deps, target)
    if (collection === undefined || !isSeen(deps, principal, collection)) return undefined
    const { id, title } = collection
    return { id, title, slug: collectionSlug(deps, collection) }
  }
  const repo = findRepo(deps, type, target)?.repo
  if (repo === undefined || !decide(deps, principal, { action: 'repo.read', repo }).allowed) {
    return undefined
  }
  return {
    id: repo.name,
    repoType: repo.type,
    author: repo.name.slice(0, repo.name.indexOf('/')),
    private: repo.visibility === 'private',
    gated: repo.gated,
    likes: repo.likes,
    downloads: repo.downloads,
    lastModified: isoTime(repo.updatedAt),
  }
}

function isSeen(deps: ViewDeps, principal: Principal, collection: HubCollection): boolean {
  return decide(deps, principal, { action: 'collection.read', collection }).allowed
}

function matches(
  deps: ViewDeps,
  principal: Principal,
  { ownerId, title, description = '', items }: HubCollection,
  { owner, item, q = '' }: CollectionsQuery,
): boolean {
  const owners = listOf(owner).map(nameKey)
  if (owners.length > 0 && !owners.includes(nameKey(ownerName(deps.state, ownerId)))) return false
  const sought = new Set(listOf(item).map(keyOfFilter))
  const holds = (one: HubCollection['items'][number]) =>
    sought.has(itemKey(one)) && describeTarget(deps, principal, one) !== undefined
  if (sought.size > 0 && !items.some(holds)) return false
  return `${title}\n${description}`.toLowerCase().includes(q.toLowerCase())
}

/** `models/acme/tiny` → the key of that item */
function keyOfFilter(text: string): string {
  const [, type = '', target = ''] =
    /^(model|dataset|space|paper|collection)s\/(.+)$/.exec(text) ?? []
  return itemKey({ type: type as 'model', target })
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat()
}

type Place = Pick<HubCollection, 'updatedAt' | 'id'> & {
  /** Upvotes when the page was made. */
  upvotes?: number
}

function hasMore(deps: ViewDeps) {
  const upvotes = (place: Place) => place.upvotes ?? upvotesOf(deps, place)
  return (one: Place, other: Place): boolean =>
    upvotes(one) === upvotes(other) ? isLater(one, other) : upvotes(one) > upvotes(other)
}

function isLater(one: Place, other: Place): boolean {
  if (one.updatedAt !== other.updatedAt) return one.updatedAt > other.updatedAt
  return one.id > other.id
}

function formatCursor(deps: ViewDeps, { updatedAt, id }: Place): string {
  return `${updatedAt}-${upvotesOf(deps, { id })}-${id}`
}

/** @returns `undefined` for an invalid cursor: the list then starts from the beginning */
function readCursor(cursor: string): Place | undefined {
  const [, updatedAt, upvotes, id = ''] = /^(\d+)-(\d+)-([0-9a-f]{24})$/.exec(cursor) ?? []
  if (updatedAt === undefined) return undefined
  return { updatedAt: Number(updatedAt), upvotes: Number(upvotes), id }
}
