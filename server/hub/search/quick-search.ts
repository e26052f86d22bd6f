import type { QuickSearchQuery, QuickSearchResponse } from '../../contract/hub-search.ts'
import type { AnyRepoType } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { HubCollection, Repo } from '../../store/entities/hub-entities.ts'
import { nameKey } from '../../store/state.ts'
import { decide } from '../access/access.ts'
import { avatarAddress } from '../access/account-facts.ts'
import type { Principal } from '../access/principal.ts'
import { findNamespace } from '../files/repo-names.ts'
import type { ReadCard } from '../files/repo-card.ts'
import type { Deps } from '../deps.ts'
import { describePerson } from '../people/person-view.ts'
import { describeSpaceCard } from '../spaces/space-view.ts'

type SearchDeps = Pick<Deps, 'state' | 'objects' | 'settings' | 'clock'>

/** Look of a Space whose README sets none. */
const usualEmoji = '🚀'

/**
 * Finds repos, users, organizations and collections by a text in their names or titles. Those that the caller may not see
 * are not counted either. The most liked repos come first.
 */
export function quickSearch(
  deps: SearchDeps,
  principal: Principal,
  { query, readCard }: { query: QuickSearchQuery; readCard: ReadCard },
): QuickSearchResponse {
  const { q = '', limit = 10 } = query
  const excluded = new Set(listOf(query.exclude).map(nameKey))
  const wanted = q.trim().toLowerCase()
  const has = (...texts: readonly string[]) =>
    texts.some((text) => text.toLowerCase().includes(wanted))
  const asksFor = (kind: string) => query.type === undefined || listOf(query.type).includes(kind)
  const isLeftOut = (kind: string, name: string) =>
    !asksFor(kind) || excluded.has(nameKey(`${kind}s/${name}`))
  const owns = ownersFor(deps, principal, query)

  const found = (type: AnyRepoType): Repo[] =>
    Array.from(deps.state.repos.values())
      .filter((repo) => repo.type === type && has(repo.name) && owns(repo))
      .filter((repo) => !isLeftOut(type, repo.name) && !skipsGated(query, repo))
      .filter((repo) => decide(deps, principal, { action: 'repo.read', repo }).allowed)
      .toSorted((one, other) => other.likes - one.likes)
  const [models, datasets, spaces, buckets] = [
    found('model'),
    found('dataset'),
    found('space'),
    found('bucket'),
  ]
  const collections = Array.from(deps.state.hubCollections.values())
    .filter((collection) => has(collection.title) && owns(collection))
    .filter(({ id }) => !isLeftOut('collection', id))
    .filter((collection) => maySee(deps, principal, collection))
  const trend = (repo: Repo) => ({ ...describeFound(repo), trendingWeight: 0 })
  const emojiOf = (repo: Repo) => describeSpaceCard(deps, repo, readCard).emoji ?? usualEmoji
  return {
    q,
    models: models.slice(0, limit).map(trend),
    modelsCount: models.length,
    datasets: datasets.slice(0, limit).map(trend),
    datasetsCount: datasets.length,
    spaces: spaces.slice(0, limit).map((repo) => ({ ...trend(repo), emoji: emojiOf(repo) })),
    spacesCount: spaces.length,
    buckets: buckets.slice(0, limit).map(describeFound),
    bucketsCount: buckets.length,
    ...noKernels,
    users: Array.from(deps.state.users.values())
      .filter(({ username, fullname }) => has(username, fullname) && !isLeftOut('user', username))
      .slice(0, limit)
      .map((user) => {
        const { _id, avatarUrl, fullname, user: username } = describePerson(user)
        return { _id, avatarUrl, fullname, user: username }
      }),
    orgs: Array.from(deps.state.organizations.values())
      .filter(({ name, fullname }) => has(name, fullname) && !isLeftOut('org', name))
      .filter(
        ({ members }) => !listOf(query.orgsFilter).includes('own') || isIn(principal, members),
      )
      .slice(0, limit)
      .map(({ id, name, fullname, avatarUrl }) => ({
        _id: id,
        avatarUrl: avatarAddress(name, avatarUrl),
        fullname,
        name,
      })),
    collections: collections
      .slice(0, limit)
      .map(({ id, title, description }) => ({ _id: id, title, ...omitUndefined({ description }) })),
    collectionsCount: collections.length,
    ...noPapers,
  }
}

/** The sandbox has none. */
const noKernels = { kernels: [], kernelsCount: 0 }
const noPapers = { papers: [], papersCount: 0 }

function describeFound({ name, visibility }: Repo) {
  return { id: name, private: visibility === 'private' }
}

function skipsGated({ reposFilter }: QuickSearchQuery, { gated }: Repo): boolean {
  return gated !== false && listOf(reposFilter).includes('skip_gated')
}

/** Returns the test of the owner that a query asks for: a namespace, the caller, the organizations of the caller. */
function ownersFor(
  deps: SearchDeps,
  principal: Principal,
  { namespace, reposFilter }: QuickSearchQuery,
): (one: { ownerId: string }) => boolean {
  const namespaceId =
    namespace === undefined ? undefined : (findNamespace(deps.state, namespace)?.id ?? '')
  const filters = listOf(reposFilter)
  const user = principal.kind === 'anonymous' ? undefined : principal.user
  const organizations =
    user === undefined ? [] : deps.state.organizations.group('member', user.id).map(({ id }) => id)
  const own = new Set([
    ...(filters.includes('own') && user !== undefined ? [user.id] : []),
    ...(filters.includes('own_orgs') ? organizations : []),
  ])
  const isAnyone = !filters.includes('own') && !filters.includes('own_orgs')
  return ({ ownerId }) =>
    (namespaceId === undefined || ownerId === namespaceId) && (isAnyone || own.has(ownerId))
}

function maySee(deps: SearchDeps, principal: Principal, collection: HubCollection): boolean {
  return decide(deps, principal, { action: 'collection.read', collection }).allowed
}

function isIn(principal: Principal, members: readonly { userId: string }[]): boolean {
  return (
    principal.kind !== 'anonymous' && members.some(({ userId }) => userId === principal.user.id)
  )
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : [value].flat()
}
