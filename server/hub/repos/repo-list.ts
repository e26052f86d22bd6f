import type { RepoListQuery, repoSorts } from '../../contract/hub-repos.ts'
import type { RepoType } from '../../contract/words/hub-words.ts'
import type { Deps } from '../deps.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { nameKey } from '../../store/state.ts'
import { decide } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { mapWithCards, type ReadCard } from '../files/repo-card.ts'
import { cardTexts, headOf, repoTags, usedStorage } from './repo-info.ts'

const mostOnAPage = 1000

type Sort = (typeof repoSorts)[number]

export interface ListedRepos {
  items: Repo[]
  /** Cursor of the next page, if there is one. */
  nextCursor?: string
}

/**
 * Lists the repos of a type that a principal may see: filtered, sorted, one page. The most expensive
 * comparison comes last.
 */
export async function listRepos(
  deps: Pick<Deps, 'state' | 'objects' | 'settings' | 'clock'>,
  principal: Principal,
  { type, query, readCard }: { type: RepoType; query: RepoListQuery; readCard: ReadCard },
): Promise<ListedRepos> {
  const { state } = deps
  const author = query.author === undefined ? undefined : nameKey(query.author)
  // Without repetitions: each repo is compared with all of them.
  const words = distinct(
    repeatedTexts(query.search).flatMap((text) => text.toLowerCase().split(/\s+/)),
  )
  const tags = distinct(tagsAskedFor(type, query))
  const used = usable.map((member) => ({
    member,
    names: distinct(repeatedTexts(query[member]).flatMap(splitList).map(nameKey)),
  }))
  const matches = (repo: Repo, read: ReadCard) =>
    repo.type === type &&
    !(type === 'model' && asksForWhatNoneHas(query)) &&
    (author === undefined || nameKey(repo.name.split('/')[0] ?? '') === author) &&
    words.every((word) => repo.name.toLowerCase().includes(word)) &&
    (query.gated === undefined || (repo.gated !== false) === query.gated) &&
    decide(deps, principal, { action: 'repo.read', repo }).allowed &&
    (tags.length === 0 ||
      hasAll(
        repoTags(deps, repo, read).map(({ id }) => id),
        tags,
      )) &&
    matchesCard((member) => cardTexts(deps, repo, read, member), { query, used }, type)

  const { sort = 'trendingScore', limit = mostOnAPage } = query
  const repos = Array.from(state.repos.values())
  const matched = await mapWithCards(repos, readCard, matches)
  const matching = repos.flatMap((repo, place) =>
    matched[place] === true ? [{ repo, key: sortKeys[sort](repo, deps), place }] : [],
  )
  const sorted = matching.toSorted(inOrder)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, repos)
  const from = after === undefined ? sorted : sorted.filter((one) => inOrder(after, one) < 0)
  const size = Math.min(limit, mostOnAPage)
  const page = from.slice(0, size)
  const last = from.length > size ? page.at(-1) : undefined
  return {
    items: page.map(({ repo }) => repo),
    ...(last === undefined ? {} : { nextCursor: writeCursor(last) }),
  }
}

/** Members of a Space's card that lists can filter by. */
const usable = ['models', 'datasets'] as const

/** Models or datasets that a Space has to name. */
interface UsedNames {
  readonly member: (typeof usable)[number]
  readonly names: readonly string[]
}

/** @param textsIn returns the strings of a member of the card */
function matchesCard(
  textsIn: (member: string) => string[],
  { query, used }: { query: RepoListQuery; used: readonly UsedNames[] },
  type: RepoType,
): boolean {
  if (query.pipeline_tag !== undefined && !textsIn('pipeline_tag').includes(query.pipeline_tag)) {
    return false
  }
  if (type !== 'space') return true
  if (query.linked === true && usable.every((member) => textsIn(member).length === 0)) return false
  return used.every(
    ({ member, names }) => names.length === 0 || hasAll(textsIn(member).map(nameKey), names),
  )
}

/** Collects the filters that are compared with tags. */
function tagsAskedFor(type: RepoType, query: RepoListQuery): string[] {
  const listed = (...values: Parameters<typeof repeatedTexts>[0][]) =>
    values.flatMap(repeatedTexts).flatMap(splitList)
  const prefixed = (prefix: string, values: string[]) =>
    values.map((value) => (value.startsWith(prefix) ? value : prefix + value))
  const languages = listed(query.language)
  return [
    ...listed(query.filter, query['filter[]'], query.tags, query.library),
    ...(type === 'dataset' ? prefixed('language:', languages) : languages),
    ...prefixed('dataset:', listed(query.trained_dataset)),
  ]
}

/**
 * Checks for filters by facts that the sandbox does not have: inference providers, apps and numbers of parameters. They
 * match no model; ignoring them would return every model.
 */
function asksForWhatNoneHas(query: RepoListQuery): boolean {
  const { apps, inference, inference_provider: provider, num_parameters: parameters } = query
  return [apps, inference, provider, parameters].some((value) => repeatedTexts(value).length > 0)
}

/** Splits a list: some clients repeat a parameter, others use commas. */
function splitList(text: string): string[] {
  return text.split(',')
}

interface Sorted {
  key: number | string
  /** Place among all repos, in the order of their creation. */
  place: number
}

interface Listed extends Sorted {
  repo: Repo
}

/** Compares by the sort key: highest first, names from A, then the newest first: two can be of one millisecond. */
function inOrder(a: Sorted, b: Sorted): number {
  if (typeof a.key === 'string' || typeof b.key === 'string') {
    return compare(String(a.key), String(b.key)) || b.place - a.place
  }
  return b.key - a.key || b.place - a.place
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
  // Files are not parsed: every model counts as one without parameters.
  num_parameters: () => 0,
  downloads: ({ downloads }) => downloads,
  likes,
  // Likes stand in for trends.
  likes30d: likes,
  trendingScore: likes,
}

/** Formats a cursor with the sort key and the place, since the repo may be deleted before the next page. */
function writeCursor({ repo, key, place }: Listed): string {
  return Buffer.from(JSON.stringify([key, place, repo.id])).toString('base64url')
}

/** @returns `undefined` for an invalid cursor: the list then starts from the beginning */
function readCursor(cursor: string, repos: readonly Repo[]): Sorted | undefined {
  try {
    const [key, place, id] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString('utf8'),
    ) as unknown[]
    const isKey = typeof key === 'number' || typeof key === 'string'
    if (!isKey || typeof place !== 'number') return undefined
    // An older repo that was deleted meanwhile moves the others up.
    const present = repos.findIndex((repo) => repo.id === id)
    return { key, place: present === -1 ? place : present }
  } catch {
    return undefined
  }
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function hasAll(present: readonly string[], wanted: readonly string[]): boolean {
  const known = new Set(present)
  return wanted.every((tag) => known.has(tag))
}

/** Returns the values of a parameter that may be repeated. */
export function repeatedTexts(value: string | readonly string[] | undefined): string[] {
  return value === undefined ? [] : [value].flat()
}
