import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  BucketListQuery,
  BucketSettingsBody,
  CreateBucketBody,
} from '../../../contract/hub-buckets.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { decide } from '../../../hub/access/access.ts'
import { permitNewRepo, requireNamespace } from '../../../hub/access/namespaces.ts'
import { createBucket } from '../../../hub/buckets/buckets.ts'
import { describeBucket } from '../../../hub/buckets/bucket-view.ts'
import { deleteRepo, updateRepoSettings } from '../../../hub/repos/repos.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { sendListPage } from '../../plugins/next-page.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import { bucketApiRoute, bucketParams, registerRepoOfRoute } from '../../plugins/repo-of-route.ts'
import type { HubServices } from '../../hub-services.ts'
import { clientOf, visibilityOf, webUrl, withOwnOrigin } from './new-repos.ts'

const tags = ['buckets']
const ofBucket = { repoType: 'bucket' as const }
const namespaceParams = Type.Object({
  namespace: Type.String({ description: 'User or organization; `me`: your own namespace' }),
})

/** Creation, lists, settings and deletion of buckets. */
export const bucketRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)

  app.get(
    '/api/buckets/:namespace',
    {
      config: { actions: ['repo.read'] },
      schema: {
        summary: 'List the buckets of a namespace',
        tags,
        params: namespaceParams,
        querystring: BucketListQuery,
      },
    },
    (request, reply) => {
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
    },
  )

  app.post(
    bucketApiRoute,
    {
      config: { needsUser: true, actions: ['repo.create'] },
      schema: { summary: 'Create a bucket', tags, params: bucketParams, body: CreateBucketBody },
    },
    (request) => {
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
          ...omitUndefined({ region: body.region, creatorClientId: clientOf(principal) }),
        }),
      )
      return { url: webUrl(request, bucket), id: bucket.name, name: bucket.name }
    },
  )

  app.get(
    bucketApiRoute,
    {
      config: { ...ofBucket, repoAction: 'repo.read' },
      schema: { summary: 'Get a bucket', tags, params: bucketParams },
    },
    ({ repo }) => describeBucket(deps, repo),
  )

  app.delete(
    bucketApiRoute,
    {
      config: { ...ofBucket, repoAction: 'repo.delete', needsUser: true },
      schema: { summary: 'Delete a bucket with its files', tags, params: bucketParams },
    },
    (request, reply) => {
      deleteRepo(deps, { repo: request.repo, actorId: signedIn(request).user.id })
      return reply.type('text/plain; charset=utf-8').send('OK')
    },
  )

  app.put(
    `${bucketApiRoute}/settings`,
    {
      config: { ...ofBucket, repoAction: 'repo.settings', needsUser: true },
      schema: {
        summary: 'Change the visibility of a bucket',
        tags,
        params: bucketParams,
        body: BucketSettingsBody,
      },
    },
    (request) => {
      const settings = visibilityOf(request.body)
      const actorId = signedIn(request).user.id
      const { visibility } = updateRepoSettings(deps, { repo: request.repo, settings, actorId })
      return { private: visibility !== 'public', visibility }
    },
  )

  /** @throws {Refusal} for `me` without a user */
  function namespaceOf(request: FastifyRequest): string {
    const { namespace } = request.params as { namespace: string }
    return namespace === 'me' ? signedIn(request).user.username : namespace
  }
}
