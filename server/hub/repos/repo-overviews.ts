import type { RepoStorageQuery } from '../../contract/hub-repos.ts'
import type { RepoType } from '../../contract/words/hub-words.ts'
import { own, setOwn } from '../../core/own.ts'
import { isoTime } from '../../core/time.ts'
import type { Deps } from '../deps.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { decide } from '../access/access.ts'
import { anonymous, type Principal } from '../access/principal.ts'
import { mapWithCards, type ReadCard } from '../files/repo-card.ts'
import { measureBucket } from '../buckets/bucket-files.ts'
import { repoTags, usedStorage } from './repo-info.ts'

/**
 * Returns the storage of the repos of an owner that the caller may read. Percentages refer to all of them, those that the
 * query filters out included.
 */
export function listStorage(
  deps: Deps,
  principal: Principal,
  { ownerId, query }: { ownerId: string; query: RepoStorageQuery },
) {
  const { search = '', type, limit, sort = 'storage', direction = 'desc' } = query
  const repos = deps.state.repos
    .group('owner', ownerId)
    .filter((repo) => isReadable(deps, principal, repo))
  const storages = repos.map((repo) => ({ repo, storage: storageOf(deps, repo) }))
  const total = storages.reduce((sum, { storage }) => sum + storage, 0)
  const sign = direction === 'asc' ? 1 : -1
  const listed = storages
    .filter(({ repo }) => type === undefined || repo.type === type)
    .filter(({ repo }) => repo.name.toLowerCase().includes(search.toLowerCase()))
    .toSorted((one, other) =>
      sort === 'storage'
        ? sign * (one.storage - other.storage)
        : sign * (one.repo.updatedAt - other.repo.updatedAt),
    )
  return listed.slice(0, limit).map(({ repo, storage }) => ({
    id: repo.name,
    type: repo.type,
    updatedAt: isoTime(repo.updatedAt),
    visibility: repo.visibility,
    storage,
    storagePercent: total === 0 ? 0 : (storage / total) * 100,
  }))
}

/**
 * Tags of all public repos of a type, each once, grouped by the kind of the tag.
 * @param only one kind; default: all of them
 */
export async function listTagsByKind(
  deps: Deps,
  type: RepoType,
  { readCard, only }: { readCard: ReadCard; only?: string | undefined },
) {
  const byKind: Record<string, { id: string; label: string; type: string }[]> = {}
  const seen = new Set<string>()
  const repos = [...deps.state.repos.values()].filter(
    (repo) => repo.type === type && isReadable(deps, anonymous, repo),
  )
  const tagsOf = (repo: Repo, read: ReadCard) => repoTags(deps, repo, read)
  for (const { id, type: kind } of (await mapWithCards(repos, readCard, tagsOf)).flat()) {
    if (seen.has(id) || (only !== undefined && only !== kind)) continue
    seen.add(id)
    const label = id.startsWith(`${kind}:`) ? id.slice(kind.length + 1) : id
    if (own(byKind, kind) === undefined) setOwn(byKind, kind, [])
    own(byKind, kind)?.push({ id, label, type: kind })
  }
  return byKind
}

/** Returns the bytes of the files of a bucket, or on main. */
function storageOf(deps: Deps, repo: Repo): number {
  return repo.type === 'bucket' ? measureBucket(deps, repo).bytes : usedStorage(deps, repo)
}

function isReadable(deps: Deps, principal: Principal, repo: Repo): boolean {
  return decide(deps, principal, { action: 'repo.read', repo }).allowed
}
