import type { RepoListQuery, repoSorts } from '../contract/hub-repos.ts'
import type { RepoType } from '../contract/words/hub.ts'
import type { Deps } from '../events/deps.ts'
import type { Repo } from '../state/entities/hub.ts'
import { nameKey } from '../state/state.ts'
import { decide } from './access.ts'
import type { Principal } from './principal.ts'
import type { ReadCard } from './repo-card.ts'
import { headOf, pipelineTag, repoTags, usedStorage } from './repo-info.ts'

const mostOnAPage = 1000

type Sort = (typeof repoSorts)[number]

export interface ListedRepos {
  items: Repo[]
  /** Where the next page begins, if there is one. */
  nextCursor?: string
}

/**
 * The repos of a type that a principal may see: filtered, sorted, one page. What is compared costs most comes last.
 */
export function listRepos(
  deps: Pick<Deps, 'state' | 'objects' | 'settings'>,
  principal: Principal,
  { type, query, readCard }: { type: RepoType; query: RepoListQuery; readCard: ReadCard },
): ListedRepos {
  const { state } = deps
  const author = query.author === undefined ? undefined : nameKey(query.author)
  const words = textsOf(query.search).map((word) => word.toLowerCase())
  const tags = [query.filter, query['filter[]'], query.tags]
    .flatMap(textsOf)
    .flatMap((text) => text.split(','))
  const matches = (repo: Repo) =>
    repo.type === type &&
    (author === undefined || nameKey(repo.name.split('/')[0] ?? '') === author) &&
    words.every((word) => repo.name.toLowerCase().includes(word)) &&
    (query.gated === undefined || (repo.gated !== false) === query.gated) &&
    decide(deps, principal, { action: 'repo.read', repo }).allowed &&
    (tags.length === 0 || hasAll(repoTags(deps, repo, readCard), tags)) &&
    (query.pipeline_tag === undefined || pipelineTag(deps, repo, readCard) === query.pipeline_tag)

  const { sort = 'trendingScore', limit = mostOnAPage } = query
  const sorted = Array.from(state.repos.values(), (repo) => repo)
    .filter(matches)
    .map((repo) => ({ repo, key: sortKeys[sort](repo, deps) }))
    .toSorted(inOrder)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor)
  const from = after === undefined ? sorted : sorted.filter((one) => inOrder(after, one) < 0)
  const size = Math.min(limit, mostOnAPage)
  const page = from.slice(0, size)
  const last = from.length > size ? page.at(-1) : undefined
  return {
    items: page.map(({ repo }) => repo),
    ...(last === undefined ? {} : { nextCursor: writeCursor(last) }),
  }
}

interface Sorted {
  repo: Pick<Repo, 'id'>
  key: number | string
}

/** The highest first, names from A; what is equal by its id, so that no page misses or repeats one. */
function inOrder(a: Sorted, b: Sorted): number {
  if (typeof a.key === 'string' || typeof b.key === 'string') {
    return compare(String(a.key), String(b.key)) || compare(a.repo.id, b.repo.id)
  }
  return b.key - a.key || compare(a.repo.id, b.repo.id)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

type SortKey = (repo: Repo, deps: Pick<Deps, 'state' | 'objects'>) => number | string
const likes: SortKey = (repo) => repo.likes

const sortKeys: Readonly<Record<Sort, SortKey>> = {
  id: ({ name }) => nameKey(name),
  createdAt: ({ createdAt }) => createdAt,
  lastModified: (repo, { objects }) => headOf(objects.of(repo), repo)?.date ?? repo.createdAt,
  mainSize: (repo, deps) => usedStorage(deps, repo),
  // No file is looked into: every model counts as one without parameters.
  num_parameters: () => 0,
  downloads: ({ downloads }) => downloads,
  likes,
  // What trends is what people like: there is nothing else to tell it by.
  likes30d: likes,
  trendingScore: likes,
}

/** The sort key belongs to it: the repo may be gone when the next page is asked for. */
function writeCursor({ repo, key }: Sorted): string {
  return Buffer.from(JSON.stringify([key, repo.id])).toString('base64url')
}

/** @returns `undefined` for what was never handed out: the list then begins at its begin */
function readCursor(cursor: string): Sorted | undefined {
  try {
    const [key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown[]
    const isKey = typeof key === 'number' || typeof key === 'string'
    return isKey && typeof id === 'string' ? { key, repo: { id } } : undefined
  } catch {
    return undefined
  }
}

function hasAll(present: readonly string[], wanted: readonly string[]): boolean {
  const known = new Set(present)
  return wanted.every((tag) => known.has(tag))
}

/** A query has one text or a list of them. */
export function textsOf(value: string | readonly string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}
