import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { decide } from '../access/access.ts'
import { isPrivate } from '../access/rights.ts'
import { permitNewRepo, requireNamespace } from '../access/namespaces.ts'
import { createBucket } from './buckets.ts'
import { describeBucket } from './bucket-view.ts'
import { deleteRepo, updateRepoSettings } from '../repos/repos.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { sendListPage } from '../http/next-page.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'
import { clientOf, visibilityOf, webUrl, withOwnOrigin } from '../http/new-repos.ts'

/** Creation, lists, settings and deletion of buckets. */
export const bucketRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  hub(app, 'GET /api/buckets/:namespace', (request, reply) => {
    const { principal, query } = request
    const search = query.search?.toLowerCase() ?? ''
    const owner = requireNamespace(deps, namespaceOf(request))
    const buckets = deps.state.repos.group('owner', owner.id).filter(
      (repo) =>
        repo.type === 'bucket' &&
        repo.name
          .slice(repo.name.indexOf('/') + 1)
          .toLowerCase()
          .includes(search) &&
        decide(deps, principal, { action: 'repo.read', repo }).allowed,
    )
    return sendListPage(request, reply, buckets, (bucket) => describeBucket(deps, bucket))
  })

  hub(app, 'POST /api/buckets/:namespace/:name', (request) => {
    const { principal, body, params } = request
    const group = omitUndefined({ resourceGroupId: body.resourceGroupId ?? undefined })
    const namespace = namespaceOf(request)
    const owner = permitNewRepo(deps, principal, { type: 'bucket', namespace, ...group })
    const bucket = withOwnOrigin(request, () =>
      createBucket(deps, {
        name: `${owner.name}/${params.name}`,
        actorId: signedIn(request).user.id,
        ...group,
        ...visibilityOf(body),
        ...omitUndefined({
          region: body.region,
          cdnRegions: body.cdn,
          creatorClientId: clientOf(principal),
        }),
      }),
    )
    return { url: webUrl(request, bucket), id: bucket.id, name: bucket.name }
  })

  hub(app, 'GET /api/buckets/:namespace/:name', ({ repo }) => describeBucket(deps, repo))

  hub(app, 'DELETE /api/buckets/:namespace/:name', (request, reply) => {
    deleteRepo(deps, { repo: request.repo, actorId: signedIn(request).user.id })
    return reply.type('text/plain; charset=utf-8').send('OK')
  })

  hub(app, 'PUT /api/buckets/:namespace/:name/settings', (request) => {
    const { cdnRegions } = request.body
    const settings = { ...visibilityOf(request.body), ...omitUndefined({ cdnRegions }) }
    const actorId = signedIn(request).user.id
    const changed = updateRepoSettings(deps, { repo: request.repo, settings, actorId })
    return { private: isPrivate(changed), cdnRegions: changed.cdnRegions ?? [] }
  })

  /** @throws {Refusal} for `me` without a user */
  function namespaceOf(request: FastifyRequest): string {
    const { namespace } = request.params as { namespace: string }
    return namespace === 'me' ? signedIn(request).user.username : namespace
  }
}
