import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import type { QuickSearchQuery, TrendingResponse } from '../../contract/hub-search.ts'
import type { Sent } from '../../contract/sent.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { decide } from '../access/access.ts'
import { anonymous } from '../access/principal.ts'
import { describeRepoCard } from '../collections/collection-view.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { hub } from '../http/hub-route.ts'
import { registerPrincipal } from '../http/principal-of-request.ts'
import { cardReader } from '../http/read-card.ts'
import type { HubServices } from '../services.ts'
import { quickSearch } from './quick-search.ts'

type Trend = Sent<Static<typeof TrendingResponse>>['recentlyTrending'][number]

/** Search across repos and accounts. */
export const searchRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  hub(app, 'GET /api/trending', async ({ principal, query }) => {
    const { type = 'all', limit = 10 } = query
    const readCard = await cardReader()
    const isPublic = (repo: Repo) => decide(deps, anonymous, { action: 'repo.read', repo }).allowed
    const repos = Array.from(deps.state.repos.values())
      .filter((repo) => repo.type !== 'bucket' && (type === 'all' || repo.type === type))
      .filter(isPublic)
      .toSorted((one, other) => other.likes - one.likes)
    const recentlyTrending = repos.slice(0, limit).map((repo) => {
      const repoData = describeRepoCard(deps, { principal, readCard }, repo)
      return { repoType: repoData.repoType, repoData } as Trend
    })
    return { recentlyTrending }
  })

  const search = async (
    { principal }: Pick<FastifyRequest, 'principal'>,
    query: QuickSearchQuery,
  ) => quickSearch(deps, principal, { query, readCard: await cardReader() })
  hub(app, 'GET /api/quicksearch', (request) => search(request, request.query))
  hub(app, 'POST /api/quicksearch', (request) =>
    search(request, { ...request.query, ...request.body }),
  )
}
