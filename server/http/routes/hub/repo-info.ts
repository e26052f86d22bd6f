import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { RepoInfoQuery, RepoListQuery } from '../../../contract/hub-repos.ts'
import { type RepoType, repoTypes } from '../../../contract/words/hub.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import type { Deps } from '../../../events/deps.ts'
import { permit } from '../../../hub/access/access.ts'
import type { Principal } from '../../../hub/access/principal.ts'
import { encodedRevision } from '../../../hub/files/address-revisions.ts'
import { mapWithCards, type ReadCard } from '../../../hub/files/repo-card.ts'
import { resolveRevision } from '../../../hub/files/revisions.ts'
import { listStorage, listTagsByKind } from '../../../hub/repos/overviews.ts'
import { checkExpand, listedRepo, repoInfo } from '../../../hub/repos/repo-info.ts'
import { listRepos, repeatedTexts } from '../../../hub/repos/repo-list.ts'
import { findNamedOrganization } from '../../../oauth/named-organization.ts'
import type { Repo } from '../../../state/entities/hub.ts'
import { pathAfter } from '../../addressed-entry.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { linkNextPage } from '../../plugins/next-page.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import {
  anyType,
  registerRepoOfRoute,
  repoApiRoute,
  repoParams,
  typeOfWord,
} from '../../plugins/repo-of-route.ts'
import { cardReader, loadedCardReader } from '../../read-card.ts'
import type { HubServices } from '../../hub-services.ts'
import type { Commit } from '../../../hub/files/git-objects.ts'
import { gitTypeOf } from '../../../hub/files/repo-names.ts'

const tags = ['repos']
const typeParams = Type.Object({ types: repoParams.properties.types })
const ofRevision = Type.Object({
  ...repoParams.properties,
  '*': Type.String({ description: 'Branch, tag, `refs/…` or commit id' }),
})
const ofOrganization = Type.Object({ name: Type.String() })
const infoSchema = { summary: 'Get a repo', tags, querystring: RepoInfoQuery }
const reads = { config: { repoAction: 'repo.read' as const } }

/** Lists and descriptions of repos. */
export const repoInfoRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  app.get(
    anyType,
    {
      config: { actions: ['repo.read'] },
      schema: { summary: 'List repos', tags, params: typeParams, querystring: RepoListQuery },
    },
    async (request, reply) => {
      const type = typeOfWord.get(request.params.types) ?? 'model'
      const { listed, nextCursor } = await listPage(deps, request.principal, type, request.query)
      if (nextCursor !== undefined) linkNextPage(request, reply, nextCursor)
      return listed
    },
  )

  app.get(
    repoApiRoute,
    { ...reads, schema: { ...infoSchema, params: repoParams } },
    ({ repo, query }) => describeRepo(deps, repo, query),
  )

  app.get(
    `${repoApiRoute}/revision/*`,
    {
      ...reads,
      schema: { ...infoSchema, summary: 'Get a repo at a revision', params: ofRevision },
    },
    async (request) => {
      const { repo, query } = request
      const revision = encodedRevision(repo, pathAfter(request, 6))
      const { commit } = resolveRevision(deps.objects.of(repo), repo, revision)
      return describeRepo(deps, repo, query, commit)
    },
  )

  app.get(
    `${repoApiRoute}/auth-check`,
    {
      config: { repoAction: 'repo.download' },
      schema: { summary: 'Check that you may download a repo', tags, params: repoParams },
    },
    () => ({}),
  )

  app.get(
    `${repoApiRoute}/auth-check/write`,
    {
      config: { repoAction: 'repo.write' },
      schema: { summary: 'Check that you may write to a repo', tags, params: repoParams },
    },
    () => ({}),
  )

  app.get(
    '/api/settings/repositories',
    {
      config: { accountAction: 'repos.list' },
      schema: { summary: 'List your repos with their storage', tags },
    },
    (request) => {
      return listStorage(deps, request.principal, signedIn(request).user.id)
    },
  )

  app.get(
    '/api/organizations/:name/settings/repositories',
    {
      config: { needsUser: true, actions: ['namespace.repos'] },
      schema: {
        summary: 'List the repos of an organization with their storage',
        tags,
        params: ofOrganization,
      },
    },
    (request) => {
      const { id: ownerId } = findNamedOrganization(deps, request.params.name)
      permit(deps, request.principal, { action: 'namespace.repos', ownerId })
      return listStorage(deps, request.principal, ownerId)
    },
  )

  for (const type of repoTypes) {
    // The hub has no such list of Spaces.
    if (type === 'space') continue
    app.get(
      `/api/${type}s-tags-by-type`,
      {
        config: { actions: ['hub.facts'] },
        schema: { summary: `List the tags of public ${type}s`, tags },
      },
      async () => listTagsByKind(deps, type, await cardReader()),
    )
  }
}

async function listPage(deps: Deps, principal: Principal, type: RepoType, query: RepoListQuery) {
  const { full, cardData, config } = query
  const expand = expandOf(type, query)
  const readCard = await cardReader()
  const { items, nextCursor } = await listRepos(deps, principal, { type, query, readCard })
  const members = omitUndefined({ full, cardData, config, expand })
  const listed = await mapWithCards(items, readCard, (repo, read) =>
    listedRepo(deps, { repo, readCard: read, ...members }),
  )
  return { listed, nextCursor }
}

function describeRepo(deps: Deps, repo: Repo, query: RepoInfoQuery, commit?: Commit): unknown {
  const expand = expandOf(gitTypeOf(repo), query)
  const input = { repo, ...omitUndefined({ commit, blobs: query.blobs, expand }) }
  const describe = (readCard: ReadCard) => repoInfo(deps, { readCard, ...input })
  // Usually it is loaded: a promise would be a tenth of the response's cost.
  const loaded = loadedCardReader()
  return loaded === undefined ? cardReader().then(describe) : describe(loaded)
}

/** Members that were asked for. @throws {Refusal} `invalid` for unknown ones */
function expandOf(
  type: RepoType,
  query: Pick<RepoInfoQuery, 'expand' | 'expand[]'>,
): string[] | undefined {
  const expand = [...repeatedTexts(query.expand), ...repeatedTexts(query['expand[]'])]
  checkExpand(type, expand)
  return expand.length === 0 ? undefined : expand
}
