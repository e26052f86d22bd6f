import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  BranchBody,
  commitPageSizes,
  CommitsQuery,
  RefsQuery,
  SquashBody,
  TagBody,
} from '../../../contract/hub-files.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { own } from '../../../core/own.ts'
import { encodedRevision, revisionAtEnd } from '../../../hub/files/address-revisions.ts'
import { permitCommit } from '../../../hub/commits/commit-access.ts'
import { listedCommit } from '../../../hub/commits/commit-lists.ts'
import { pageOfCommits } from '../../../hub/files/history.ts'
import { formatPageStart, parsePageStart } from '../../../hub/files/pages-of-commit.ts'
import {
  createBranch,
  createTag,
  deleteBranch,
  deleteTag,
  listRefs,
  squashRef,
} from '../../../hub/commits/repo-refs.ts'
import { requireWritableRef, resolveRevision } from '../../../hub/files/revisions.ts'
import { pathAfter } from '../../addressed-entry.ts'
import { commitAction } from '../../commit-action.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { linkNextPage } from '../../plugins/next-page.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import { registerRepoOfRoute, repoApiRoute, repoParams } from '../../plugins/repo-of-route.ts'
import type { HubServices } from '../../hub-services.ts'

const tags = ['refs']
const { types, namespace, name } = repoParams.properties
const endingIn = (description: string) =>
  Type.Object({ types, namespace, name, '*': Type.String({ description }) })
const ofRevision = endingIn('Branch, tag, `refs/…` or commit id')
const ofBranch = endingIn('Branch')

/** Commits, and the names by which they are found. */
export const repoHistoryRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  const reads = { config: { repoAction: 'repo.read' as const } }
  const writes = { config: { repoAction: 'repo.write' as const } }

  app.get(
    `${repoApiRoute}/refs`,
    {
      ...reads,
      schema: { summary: 'List refs', tags, params: repoParams, querystring: RefsQuery },
    },
    ({ repo, query }) => {
      const { pullRequests, ...refs } = listRefs(deps.objects.of(repo), repo)
      return { ...refs, ...(query.include_prs === true ? { pullRequests } : {}) }
    },
  )

  app.get(
    `${repoApiRoute}/commits/*`,
    {
      // The hub keeps the history behind the gate, too.
      config: { repoAction: 'repo.download' },
      schema: { summary: 'List commits', tags, params: ofRevision, querystring: CommitsQuery },
    },
    async (request, reply) => {
      const { repo, query } = request
      const { limit = commitPageSizes.usual, cursor, p: page = 0 } = query
      const start = cursor === undefined ? undefined : parsePageStart(cursor)
      const offset = start?.offset ?? page * limit
      const revision = start?.commitId ?? revisionAtEnd(repo, pathAfter(request, 6))
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
    },
  )

  app.post(
    `${repoApiRoute}/branch/*`,
    { ...writes, schema: { summary: 'Create a branch', tags, params: ofBranch, body: BranchBody } },
    (request) => {
      createBranch(deps, { ...named(request), ...request.body })
      return {}
    },
  )

  app.delete(
    `${repoApiRoute}/branch/*`,
    { ...writes, schema: { summary: 'Delete a branch', tags, params: ofBranch } },
    (request) => {
      deleteBranch(deps, named(request))
      return {}
    },
  )

  app.post(
    `${repoApiRoute}/tag/*`,
    { ...writes, schema: { summary: 'Create a tag', tags, params: ofRevision, body: TagBody } },
    (request) => {
      const { tag, message } = request.body
      const revision = revisionOf(request)
      createTag(deps, {
        ...named(request),
        name: tag,
        revision,
        ...omitUndefined({ message: message ?? undefined }),
      })
      return {}
    },
  )

  app.delete(
    `${repoApiRoute}/tag/*`,
    { ...writes, schema: { summary: 'Delete a tag', tags, params: endingIn('Tag') } },
    (request) => {
      deleteTag(deps, named(request))
      return {}
    },
  )

  app.post(
    `${repoApiRoute}/super-squash/*`,
    {
      // What else it takes depends on the ref.
      config: {
        repoAction: 'pull-request.commit',
        requestedAction: commitAction,
        actions: ['repo.write'],
      },
      schema: {
        summary: 'Squash the history into one commit',
        tags,
        params: ofRevision,
        body: SquashBody,
      },
    },
    (request) => {
      const { repo, principal, body } = request
      const ref = requireWritableRef(repo, revisionOf(request))
      permitCommit(deps, principal, repo, ref)
      const actorId = signedIn(request).user.id
      const { refs } = squashRef(deps, { repo, ref, actorId, ...omitUndefined(body) })
      return { commitId: own(refs, ref) }
    },
  )

  function revisionOf(request: FastifyRequest): string {
    return encodedRevision(request.repo, pathAfter(request, 6))
  }
}

/** The repo, what the address names in it, and who does it. */
function named(request: FastifyRequest) {
  const { '*': name } = request.params as { '*': string }
  return { repo: request.repo, name, actorId: signedIn(request).user.id }
}
