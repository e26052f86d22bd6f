import type { FoundSpace } from '../../contract/hub.ts'
import type { SpaceSearchQuery } from '../../contract/hub-repos.ts'
import type { Deps } from '../deps.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { decide } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { mapWithCards, type ReadCard } from '../files/repo-card.ts'
import { embed } from '../inference/embeddings.ts'
import { cardTexts, repoTags } from '../repos/repo-info.ts'
import { stageOf } from '../repos/space-runtime.ts'
import { readSpaceMetadata, spaceSdk } from '../repos/space-sdk.ts'
import { describeSpaceCard } from './space-view.ts'

type SearchDeps = Pick<Deps, 'state' | 'objects' | 'settings' | 'clock'>

const mostFound = 50

/** Finds Spaces whose name, title, description and tags have words in common with a query, the best first. */
export async function searchSpaces(
  deps: SearchDeps,
  principal: Principal,
  { query, readCard }: { query: SpaceSearchQuery; readCard: ReadCard },
): Promise<FoundSpace[]> {
  const wanted = embed(query.q)
  const repos = [...deps.state.repos.values()]
  const scores = await mapWithCards(repos, readCard, (repo, read) =>
    fits(deps, principal, repo, query, read)
      ? similarity(wanted, embed(textOf(deps, repo, read)))
      : 0,
  )
  const found = repos.flatMap((repo, place) => {
    const score = scores[place] ?? 0
    return score > 0 ? [{ score, repo }] : []
  })
  return found
    .toSorted((one, other) => other.score - one.score)
    .slice(0, mostFound)
    .map(({ score, repo }) => describe(deps, repo, score, readCard))
}

function fits(
  deps: SearchDeps,
  principal: Principal,
  repo: Repo,
  { sdk, filter, includeNonRunning = false }: SpaceSearchQuery,
  readCard: ReadCard,
): boolean {
  if (repo.type !== 'space') return false
  if (!decide(deps, principal, { action: 'repo.read', repo }).allowed) return false
  const ownSdk = spaceSdk(repo, readSpaceMetadata(deps, repo)) ?? ''
  const isRunning = ownSdk === 'static' || stageOf(repo, deps.clock.now()) === 'RUNNING'
  if (!includeNonRunning && !isRunning) return false
  if (sdk !== undefined && ![sdk].flat().includes(ownSdk)) return false
  const tags = new Set(repoTags(deps, repo, readCard).map(({ id }) => id))
  return [filter ?? []].flat().every((tag) => tags.has(tag))
}

function textOf(deps: SearchDeps, repo: Repo, readCard: ReadCard): string {
  const members = ['title', 'short_description', 'tags']
  return [repo.name, ...members.flatMap((key) => cardTexts(deps, repo, readCard, key))].join(' ')
}

function describe(deps: SearchDeps, repo: Repo, score: number, readCard: ReadCard): FoundSpace {
  const described = {
    id: repo.name,
    author: repo.name.slice(0, repo.name.indexOf('/')),
    ...describeSpaceCard(deps, repo, readCard),
    likes: repo.likes,
    private: repo.visibility !== 'public',
    semanticRelevancyScore: score,
    trendingScore: 0,
  }
  return described
}

function similarity(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, number, place) => sum + number * (other[place] ?? 0), 0)
}
