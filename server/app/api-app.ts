import type { FastifyInstance } from 'fastify'
import { type BaseOptions, buildBaseApp } from '../web/base-app.ts'
import { registerHubHooks } from './hub-hooks.ts'
import type { Inject } from '../web/inject.ts'
import type { DocumentedRoute } from '../lab/openapi/openapi.ts'
import type { NameRequest } from '../web/plugins/response-headers.ts'
import { requireNamedActions } from '../hub/http/named-actions.ts'
import { collectRoutes } from '../lab/openapi/documented-routes.ts'
import { bucketFileRoutes } from '../hub/buckets/bucket-file-routes.ts'
import { bucketRoutes } from '../hub/buckets/bucket-routes.ts'
import { clientCallRoutes } from '../hub/pages/client-call-routes.ts'
import { accessRequestRoutes } from '../hub/gates/routes.ts'
import { collectionRoutes } from '../hub/collections/routes.ts'
import { discussionRoutes } from '../hub/discussions/routes.ts'
import { downloadRoutes } from '../hub/files/download-routes.ts'
import { identityRoutes } from '../hub/access/routes.ts'
import { endpointCallRoutes } from '../hub/endpoints/call-routes.ts'
import { endpointRoutes } from '../hub/endpoints/routes.ts'
import { inferenceRoutes } from '../hub/inference/routes.ts'
import { gitRoutes } from '../hub/git/routes.ts'
import { hubJobRoutes } from '../hub/jobs/routes.ts'
import {
  credentialRoutes,
  hubOrganizationRoutes,
  organizationGroupRoutes,
} from '../hub/accounts/routes.ts'
import { likeRoutes } from '../hub/people/like-routes.ts'
import { lfsFileRoutes } from '../hub/repos/lfs-file-routes.ts'
import { lfsRoutes } from '../hub/uploads/lfs-routes.ts'
import { mcpRoutes } from '../hub/mcp/routes.ts'
import { peopleRoutes } from '../hub/people/routes.ts'
import { repoFileRoutes } from '../hub/files/routes.ts'
import { repoHistoryRoutes } from '../hub/commits/routes.ts'
import { hubRepoRoutes } from '../hub/repos/routes.ts'
import { repoInfoRoutes } from '../hub/repos/info-routes.ts'
import { scheduledJobRoutes } from '../hub/jobs/schedule-routes.ts'
import { spaceRoutes } from '../hub/spaces/routes.ts'
import { uploadRoutes } from '../hub/uploads/routes.ts'
import { hubWebhookRoutes } from '../hub/webhooks/routes.ts'
import { xetStorageRoutes, xetTokenRoutes } from '../hub/xet/routes.ts'
import type { ServerDeps } from '../lab/server-deps.ts'

/** The hub's API, with its routes for the document that lists all of them. */
export interface ApiApp {
  app: FastifyInstance
  routes: readonly DocumentedRoute[]
}

/**
 * Builds the hub's API and the contents of repos. These are most of the hub's routes, and neither a start nor a sign-in needs them, so they are imported at the first request.
 */
export async function buildApiApp(
  deps: ServerDeps,
  base: BaseOptions,
  nameRequest: NameRequest,
  inject: Inject,
): Promise<ApiApp> {
  const app = buildBaseApp(base, { nameRequest })
  const routes = collectRoutes(app)
  registerHubHooks(app, deps)
  requireNamedActions(app)
  await app.register(identityRoutes, { deps })
  await app.register(clientCallRoutes)
  await app.register(hubOrganizationRoutes, { deps })
  await app.register(organizationGroupRoutes, { deps })
  await app.register(credentialRoutes, { deps })
  await app.register(hubWebhookRoutes, { deps })
  await app.register(hubJobRoutes, { deps })
  await app.register(scheduledJobRoutes, { deps })
  await app.register(inferenceRoutes, { deps })
  await app.register(endpointRoutes, { deps })
  await app.register(endpointCallRoutes, { deps })
  await app.register(repoFileRoutes, { deps })
  await app.register(downloadRoutes, { deps })
  await app.register(repoHistoryRoutes, { deps })
  await app.register(discussionRoutes, { deps })
  await app.register(collectionRoutes, { deps })
  await app.register(accessRequestRoutes, { deps })
  await app.register(likeRoutes, { deps })
  await app.register(peopleRoutes, { deps })
  await app.register(hubRepoRoutes, { deps })
  await app.register(repoInfoRoutes, { deps })
  await app.register(bucketRoutes, { deps })
  await app.register(bucketFileRoutes, { deps })
  await app.register(spaceRoutes, { deps })
  await app.register(uploadRoutes, { deps })
  await app.register(gitRoutes, { deps })
  await app.register(lfsFileRoutes, { deps })
  await app.register(lfsRoutes, { deps })
  await app.register(xetTokenRoutes, { deps })
  await app.register(xetStorageRoutes, { deps })
  await app.register(mcpRoutes, { deps, inject })
  await app.ready()
  return { app, routes }
}
