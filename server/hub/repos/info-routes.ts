import type { FastifyPluginAsync } from 'fastify'
import type { RepoInfoQuery, RepoListQuery } from '../../contract/hub-repos.ts'
import { type RepoType } from '../../contract/words/hub-words.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import { openRepo, permit } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { encodedRevision } from '../files/address-revisions.ts'
import { mapWithCards, type ReadCard } from '../files/repo-card.ts'
import { resolveRevision } from '../files/revisions.ts'
import { listStorage, listTagsByKind } from './repo-overviews.ts'
import { checkExpand, expandable, expandableInList, listedRepo, repoInfo } from './repo-info.ts'
import { listRepos, repeatedTexts } from './repo-list.ts'
import { findNamedOrganization } from '../oauth/named-organization.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { restOfPath } from '../http/addressed-entry.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { linkNextPage } from '../http/next-page.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { registerRepoOfRoute, typeOfWord } from '../http/repo-of-route.ts'
import { cardReader, loadedCardReader } from '../http/read-card.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'
import type { Commit } from '../files/git-objects.ts'
import { gitTypeOf, spaceSubdomain } from '../files/repo-names.ts'

/** Lists and descriptions of repos. */
export const repoInfoRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'GET /api/:types', async (request, reply) => {
    const type = typeOfWord.get(request.params.types) ?? 'model'
    const { listed, nextCursor } = await listPage(deps, request.principal, type, request.query)
    if (nextCursor !== undefined) linkNextPage(request, reply, nextCursor)
    return listed
  })

  hub(app, 'GET /api/:repo', ({ repo, query }) => describeRepo(deps, repo, query))

  hub(app, 'GET /api/spaces/by-subdomain/:subdomain', ({ principal, params, query, root }) => {
    const subdomain = params.subdomain.toLowerCase()
    const spaces = Array.from(deps.state.repos.values()).filter(({ type }) => type === 'space')
    const found = spaces.find(({ name }) => spaceSubdomain(name) === subdomain)
    // A name that no Space has is refused as one that the caller may not see.
    const name = found?.name ?? `/${subdomain}`
    const { repo } = openRepo(deps, principal, { type: 'space', name, action: 'repo.read', root })
    return describeRepo(deps, repo, query)
  })

  hub(app, 'GET /api/:repo/revision/*', async (request) => {
    const { repo, query } = request
    const revision = encodedRevision(repo, restOfPath(request))
    const { commit } = resolveRevision(deps.objects.of(repo), repo, revision)
    return describeRepo(deps, repo, query, commit)
  })

  hub(app, 'GET /api/:repo/auth-check', () => ({}))

  hub(app, 'GET /api/:repo/auth-check/write', () => ({}))

  hub(app, 'GET /api/settings/repositories', (request) => {
    const { principal, query } = request
    return listStorage(deps, principal, { ownerId: signedIn(request).user.id, query })
  })

  hub(app, 'GET /api/organizations/:name/settings/repositories', (request) => {
    const { id: ownerId } = findNamedOrganization(deps, request.params.name)
    const { principal, query } = request
    permit(deps, principal, { action: 'namespace.repos', ownerId })
    return listStorage(deps, principal, { ownerId, query })
  })

  hub(app, 'GET /api/models-tags-by-type', async ({ query: { type } }) =>
    listTagsByKind(deps, 'model', { readCard: await cardReader(), only: type }),
  )
  hub(app, 'GET /api/datasets-tags-by-type', async ({ query: { type } }) =>
    listTagsByKind(deps, 'dataset', { readCard: await cardReader(), only: type }),
  )
}

async function listPage(deps: Deps, principal: Principal, type: RepoType, query: RepoListQuery) {
  const { full, cardData, config } = query
  const expand = expandOf(expandableInList(type), query)
  const readCard = await cardReader()
  const { items, nextCursor } = await listRepos(deps, principal, { type, query, readCard })
  const members = omitUndefined({ full, cardData, config, expand })
  const listed = await mapWithCards(items, readCard, (repo, read) =>
    listedRepo(deps, { repo, readCard: read, ...members }),
  )
  return { listed, nextCursor }
}

function describeRepo(deps: Deps, repo: Repo, query: RepoInfoQuery, commit?: Commit) {
  const expand = expandOf(expandable[gitTypeOf(repo)], query)
  const input = { repo, ...omitUndefined({ commit, blobs: query.blobs, expand }) }
  const describe = (readCard: ReadCard) => repoInfo(deps, { readCard, ...input })
  // Usually it is loaded: a promise would be a tenth of the response's cost.
  const loaded = loadedCardReader()
  return loaded === undefined ? cardReader().then(describe) : describe(loaded)
}

/** Returns the requested members. @throws {Refusal} `invalid` for an unknown one */
function expandOf(
  known: readonly string[],
  query: Pick<RepoInfoQuery, 'expand' | 'expand[]'>,
): string[] | undefined {
  const expand = [...repeatedTexts(query.expand), ...repeatedTexts(query['expand[]'])]
  checkExpand(known, expand)
  return expand.length === 0 ? undefined : expand
}
