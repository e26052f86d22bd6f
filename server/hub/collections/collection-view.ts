import type {
  CollectionResponse,
  CollectionItemResponse,
  CollectionsQuery,
  ListedCollectionResponse,
} from '../../contract/hub-collections.ts'
import { escapeHtml } from '../../core/escape-html.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { Deps } from '../deps.ts'
import type { HubCollection, Repo } from '../../store/entities/hub-entities.ts'
import { nameKey } from '../../store/state.ts'
import { decide } from '../access/access.ts'
import { findRepo } from '../access/find-repo.ts'
import type { Principal } from '../access/principal.ts'
import { describeBucket } from '../buckets/bucket-view.ts'
import type { ReadCard } from '../files/repo-card.ts'
import { describeAuthor } from '../people/author-view.ts'
import { isLikedBy } from '../people/likes.ts'
import { cardTexts, providerMapping } from '../repos/repo-info.ts'
import { describeSpaceCard } from '../spaces/space-view.ts'
import { isUpvotedBy, upvotesOf } from './upvotes.ts'
import { collectionIdOf, collectionSlug, collectionsOf, itemKey, ownerName } from './collections.ts'

/** Items of a collection in a list, as on the hub. */
const listedItems = 4

type ViewDeps = Pick<Deps, 'state' | 'settings' | 'objects' | 'clock'>

type Item = HubCollection['items'][number]

/** Caller, and reader of the READMEs of Spaces. */
export interface Viewer {
  readonly principal: Principal
  readonly readCard: ReadCard
}

/** Lists the collections that the caller may see, the latest change first. */
export function listCollections(
  deps: ViewDeps,
  viewer: Viewer,
  query: CollectionsQuery,
): { collections: ListedCollectionResponse[]; nextCursor?: string } {
  const { principal } = viewer
  const { limit = 10, cursor, sort } = query
  const isBefore = sort === 'upvotes' ? hasMore(deps) : isLater
  const all = Array.from(deps.state.hubCollections.values(), placed)
  const matching = all
    .filter(({ collection }) => matches(deps, principal, collection, query))
    .filter(({ collection }) => isSeen(deps, principal, collection))
    .toSorted((one, other) => (isBefore(one, other) ? -1 : 1))
  const from = cursor === undefined ? undefined : readCursor(cursor, all)
  const rest = from === undefined ? matching : matching.filter((one) => isBefore(from, one))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return {
    collections: page.map(({ collection }) => describe(deps, viewer, collection, listedItems)),
    ...(rest.length > limit && last !== undefined && { nextCursor: formatCursor(deps, last) }),
  }
}

/** Describes a collection with all items that the caller may see. */
export function describeCollection(
  deps: ViewDeps,
  viewer: Viewer,
  collection: HubCollection,
): CollectionResponse {
  // Counting the others would reveal hidden ones.
  const position = collectionsOf(deps.state, collection.ownerId)
    .filter((one) => isSeen(deps, viewer.principal, one))
    .findIndex(({ id }) => id === collection.id)
  const described = describe(deps, viewer, collection, Infinity)
  return { ...described, shareUrl: pageOf(deps, described), position }
}

function describe(
  deps: ViewDeps,
  viewer: Viewer,
  collection: HubCollection,
  mostItems: number,
): ListedCollectionResponse {
  return {
    ...summarize(deps, viewer.principal, collection),
    items: describeItems(deps, viewer, collection, mostItems),
    private: collection.private,
    gating: false,
  }
}

/** Describes what a collection shows of itself in a list, and as an item of another collection. */
function summarize(deps: ViewDeps, principal: Principal, collection: HubCollection) {
  const { ownerId, title, description, theme, updatedAt } = collection
  return {
    slug: collectionSlug(deps, collection),
    title,
    ...omitUndefined({ description }),
    owner: describeAuthor(deps, principal, ownerId),
    lastUpdated: isoTime(updatedAt),
    theme: theme as ListedCollectionResponse['theme'],
    upvotes: upvotesOf(deps, collection),
    isUpvotedByUser: isUpvotedBy(deps, principal, collection),
  }
}

function pageOf({ settings }: ViewDeps, { slug }: Pick<CollectionResponse, 'slug'>): string {
  return `${settings.baseUrl}/collections/${slug}`
}

function describeItems(
  deps: ViewDeps,
  viewer: Viewer,
  collection: HubCollection,
  most: number,
): CollectionItemResponse[] {
  const seen: CollectionItemResponse[] = []
  // Users who move items need the true positions; for others a gap would reveal a hidden item.
  const question = { action: 'collection.write', collection } as const
  const mayMove = decide(deps, viewer.principal, question).allowed
  for (const [index, item] of collection.items.entries()) {
    if (seen.length >= most) break
    const facts = describeTarget(deps, viewer, item)
    if (facts === undefined) continue
    const { id, note } = item
    const position = mayMove ? index : seen.length
    const html = note === undefined ? undefined : { text: note, html: escapeHtml(note) }
    seen.push({ _id: id, position, ...facts, ...omitUndefined({ note: html }) })
  }
  return seen
}

/** Members of an item by its kind. */
type Facts = Without<CollectionItemResponse, '_id' | 'position' | 'note'>
type Without<T, Key extends string> = T extends object ? Omit<T, Key> : never

function describeTarget(deps: ViewDeps, viewer: Viewer, item: Item): Facts | undefined {
  const target = seenTarget(deps, viewer.principal, item)
  if (target === undefined) return undefined
  if (typeof target === 'string') return describePaper(target)
  if ('items' in target) return describeCollected(deps, viewer.principal, target)
  return { type: target.type, ...describeRepoCard(deps, viewer, target) } as Facts
}

/** Describes a paper by its id, in which arXiv names year and month; the sandbox has no papers. */
function describePaper(id: string): Facts {
  const [, year = '00', month = '01'] = /^(\d\d)(0[1-9]|1[0-2])\./.exec(id) ?? []
  return {
    type: 'paper',
    id,
    title: `arXiv:${id}`,
    upvotes: 0,
    publishedAt: `20${year}-${month}-01T00:00:00.000Z`,
  }
}

/** Target of an item: a paper's id, a collection or a repo; `undefined` if the caller may not see it, or it is gone. */
function seenTarget(
  deps: Pick<Deps, 'state' | 'settings'>,
  principal: Principal,
  { type, target }: Item,
): string | HubCollection | Repo | undefined {
  if (type === 'paper') return target
  if (type === 'collection') {
    const collection = deps.state.hubCollections.get(collectionIdOf(target))
    return collection !== undefined && isSeen(deps, principal, collection) ? collection : undefined
  }
  const repo = findRepo(deps, type, target)?.repo
  const mayRead =
    repo !== undefined && decide(deps, principal, { action: 'repo.read', repo }).allowed
  return mayRead ? repo : undefined
}

function describeCollected(deps: ViewDeps, principal: Principal, collection: HubCollection): Facts {
  const summary = summarize(deps, principal, collection)
  return {
    type: 'collection',
    id: collection.id,
    ...summary,
    shareUrl: pageOf(deps, summary),
    numberItems: collection.items.filter((it) => seenTarget(deps, principal, it) !== undefined)
      .length,
  }
}

/** Describes a repo as the Hub shows it on a card. */
export function describeRepoCard(deps: ViewDeps, { principal, readCard }: Viewer, repo: Repo) {
  const { name, type } = repo
  const common = {
    id: name,
    author: name.slice(0, name.indexOf('/')),
    private: repo.visibility === 'private',
  }
  if (type === 'bucket') {
    const { createdAt, updatedAt, size, totalFiles, cdnRegions } = describeBucket(deps, repo)
    const contents = { createdAt, updatedAt, size, totalFiles, cdnRegions }
    return { repoType: type, ...common, ...contents }
  }
  const { likes, gated, downloads } = repo
  const liked = {
    likes,
    isLikedByUser: isLikedBy(deps, principal, repo),
    lastModified: isoTime(repo.updatedAt),
  }
  if (type === 'dataset') return { repoType: type, ...common, ...liked, gated, downloads }
  const authorData = describeAuthor(deps, principal, repo.ownerId)
  if (type === 'model') {
    const inference = describeInference(deps, repo, readCard)
    return { repoType: type, ...common, ...liked, gated, downloads, authorData, ...inference }
  }
  const { sdk, runtime, ...card } = describeSpaceCard(deps, repo, readCard)
  // Storage and volumes are shown of one Space alone.
  const { storage: _storage, volumes: _volumes, ...machine } = runtime
  return {
    repoType: type,
    ...common,
    ...liked,
    authorData,
    ...usualLook,
    ...card,
    runtime: machine,
    ...omitUndefined({ sdk: sdk ?? undefined }),
    visibility: repo.visibility,
    createdAt: isoTime(repo.createdAt),
    pinned: false,
    featured: false,
    disabled: repo.disabled ?? false,
  }
}

/** Look of a Space whose README sets none. */
const usualLook = { emoji: '🚀', colorFrom: 'gray', colorTo: 'gray' }

function describeInference(deps: ViewDeps, repo: Repo, readCard: ReadCard) {
  const [task] = cardTexts(deps, repo, readCard, 'pipeline_tag')
  const mapping = Object.entries(providerMapping(repo, task) ?? {})
  return {
    ...omitUndefined({ pipeline_tag: task }),
    availableInferenceProviders: mapping.map(([provider, { status, providerId, task: name }]) => ({
      provider,
      providerStatus: status,
      modelStatus: status,
      providerId,
      task: name,
      // A model has one provider here, so it is the cheapest and the fastest.
      isCheapestPricingOutput: true,
      isFastestThroughput: true,
      isModelAuthor: false,
    })),
  }
}

function isSeen(
  deps: Pick<Deps, 'state' | 'settings'>,
  principal: Principal,
  collection: HubCollection,
): boolean {
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
  const holds = (one: Item) =>
    sought.has(itemKey(one)) && seenTarget(deps, principal, one) !== undefined
  if (sought.size > 0 && !items.some(holds)) return false
  return `${title}\n${description}`.toLowerCase().includes(q.toLowerCase())
}

/** `models/acme/tiny` → the key of that item */
function keyOfFilter(text: string): string {
  const [, type = '', target = ''] =
    /^(model|dataset|space|bucket|paper|collection)s\/(.+)$/.exec(text) ?? []
  return itemKey({ type: type as 'model', target })
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat()
}

interface Place {
  id: string
  updatedAt: number
  /** Index among all collections, in the order of their creation. */
  index: number
  /** Upvotes when the page was made. */
  upvotes?: number
}

function placed(collection: HubCollection, index: number) {
  const { id, updatedAt } = collection
  return { collection, id, updatedAt, index }
}

function hasMore(deps: ViewDeps) {
  const upvotes = (place: Place) => place.upvotes ?? upvotesOf(deps, place)
  return (one: Place, other: Place): boolean =>
    upvotes(one) === upvotes(other) ? isLater(one, other) : upvotes(one) > upvotes(other)
}

/** Compares by creation what changed in one millisecond. */
function isLater(one: Place, other: Place): boolean {
  if (one.updatedAt !== other.updatedAt) return one.updatedAt > other.updatedAt
  return one.index > other.index
}

/** Formats a cursor with the place, since the collection may be deleted before the next page. */
function formatCursor(deps: ViewDeps, { updatedAt, id, index }: Place): string {
  return `${updatedAt}-${upvotesOf(deps, { id })}-${index}-${id}`
}

/** @returns `undefined` for an invalid cursor: the list then starts from the beginning */
function readCursor(cursor: string, all: readonly Place[]): Place | undefined {
  const [, updatedAt, upvotes, index, id = ''] =
    /^(\d+)-(\d+)-(\d+)-([0-9a-f]{24})$/.exec(cursor) ?? []
  if (updatedAt === undefined) return undefined
  // An older collection that was deleted meanwhile moves the others up.
  const present = all.findIndex((one) => one.id === id)
  return {
    id,
    updatedAt: Number(updatedAt),
    upvotes: Number(upvotes),
    index: present === -1 ? Number(index) : present,
  }
}
