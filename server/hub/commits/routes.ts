import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { commitPageSizes } from '../../contract/hub-files.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { encodedRevision, revisionAtEnd } from '../files/address-revisions.ts'
import { permitCommit } from './commit-access.ts'
import { listedCommit } from './commit-lists.ts'
import { pageOfCommits } from '../files/history.ts'
import { formatPageStart, parsePageStart } from '../files/pages-of-commit.ts'
import {
  createBranch,
  createTag,
  deleteBranch,
  deleteTag,
  listRefs,
  squashRef,
} from './repo-refs.ts'
import { refTarget, requireWritableRef, resolveRevision } from '../files/revisions.ts'
import { restOfPath } from '../http/addressed-entry.ts'
import { commitAction } from '../http/commit-action.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { linkNextPage } from '../http/next-page.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** Commits, and the names by which they are found. */
export const repoHistoryRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'GET /api/:repo/refs', ({ repo, query }) => {
    const { pullRequests, ...refs } = listRefs(deps.objects.of(repo), repo)
    return { ...refs, ...(query.include_prs === true ? { pullRequests } : {}) }
  })

  hub(app, 'GET /api/:repo/commits/*', async (request, reply) => {
    const { repo, query } = request
    const { limit = commitPageSizes.usual, cursor, p: page = 0 } = query
    const start = cursor === undefined ? undefined : parsePageStart(cursor)
    const offset = start?.offset ?? page * limit
    const revision = start?.commitId ?? revisionAtEnd(repo, restOfPath(request))
    const objects = deps.objects.of(repo)
    const { commit: head } = resolveRevision(objects, repo, revision)
    const { commits, total } = pageOfCommits(objects, head.id, { offset, limit })
    reply.header('x-total-count', total)
    // Long messages make a page shorter.
    const end = offset + commits.length
    if (end < total) {
      const next = formatPageStart({ commitId: head.id, offset: end })
      linkNextPage(request, reply, next)
    }
    const formatted = [query.expand, query['expand[]']].flat().includes('formatted')
    return commits.map((commit) => listedCommit(deps, commit, formatted))
  })

  hub(app, 'POST /api/:repo/branch/*', (request) => {
    createBranch(deps, { ...named(request), ...request.body })
    return {}
  })

  hub(app, 'DELETE /api/:repo/branch/*', (request) => {
    deleteBranch(deps, named(request))
    return {}
  })

  hub(app, 'POST /api/:repo/tag/*', (request) => {
    const { tag, message } = request.body
    const revision = revisionOf(request)
    createTag(deps, {
      ...named(request),
      name: tag,
      revision,
      ...omitUndefined({ message: message ?? undefined }),
    })
    return {}
  })

  hub(app, 'DELETE /api/:repo/tag/*', (request) => {
    deleteTag(deps, named(request))
    return {}
  })

  hub(
    app,
    'POST /api/:repo/super-squash/*',
    (request) => {
      const { repo, principal, body } = request
      const ref = requireWritableRef(repo, revisionOf(request))
      permitCommit(deps, principal, repo, ref)
      const actorId = signedIn(request).user.id
      const squashed = squashRef(deps, { repo, ref, actorId, ...omitUndefined(body) })
      return { commitId: refTarget(squashed, ref) }
    },
    { config: { requestedAction: commitAction } },
  )

  function revisionOf(request: FastifyRequest): string {
    return encodedRevision(request.repo, restOfPath(request))
  }
}

/** The repo, what the address names in it, and who does it. */
function named(request: FastifyRequest) {
  const { '*': name } = request.params as { '*': string }
  return { repo: request.repo, name, actorId: signedIn(request).user.id }
}
