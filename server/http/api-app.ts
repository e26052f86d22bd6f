import type { FastifyInstance } from 'fastify'
import { type BaseOptions, buildBaseApp } from './base-app.ts'
import { registerHubHooks } from './hub-hooks.ts'
import type { Inject } from './inject.ts'
import type { DocumentedRoute } from './openapi.ts'
import type { NameRequest } from './plugins/response-headers.ts'
import { requireNamedActions } from './plugins/named-actions.ts'
import { collectRoutes } from './plugins/documented-routes.ts'
import { bucketFileRoutes } from './routes/hub/bucket-files.ts'
import { bucketRoutes } from './routes/hub/buckets.ts'
import { clientCallRoutes } from './routes/hub/client-calls.ts'
import { accessRequestRoutes } from './routes/hub/access-requests.ts'
import { collectionRoutes } from './routes/hub/collections.ts'
import { discussionRoutes } from './routes/hub/discussions.ts'
import { downloadRoutes } from './routes/hub/downloads.ts'
import { identityRoutes } from './routes/hub/identity.ts'
import { endpointCallRoutes } from './routes/hub/endpoint-calls.ts'
import { endpointRoutes } from './routes/hub/endpoints.ts'
import { inferenceRoutes } from './routes/hub/inference.ts'
import { gitRoutes } from './routes/hub/git.ts'
import { hubJobRoutes } from './routes/hub/jobs.ts'
import {
  credentialRoutes,
  hubOrganizationRoutes,
  organizationGroupRoutes,
} from './routes/hub/organizations.ts'
import { likeRoutes } from './routes/hub/likes.ts'
import { lfsFileRoutes } from './routes/hub/lfs-files.ts'
import { lfsRoutes } from './routes/hub/lfs.ts'
import { mcpRoutes } from './routes/hub/mcp.ts'
import { peopleRoutes } from './routes/hub/people.ts'
import { repoFileRoutes } from './routes/hub/repo-files.ts'
import { repoHistoryRoutes } from './routes/hub/repo-history.ts'
import { hubRepoRoutes } from './routes/hub/repos.ts'
import { repoInfoRoutes } from './routes/hub/repo-info.ts'
import { scheduledJobRoutes } from './routes/hub/scheduled-jobs.ts'
import { spaceRoutes } from './routes/hub/spaces.ts'
import { uploadRoutes } from './routes/hub/uploads.ts'
import { hubWebhookRoutes } from './routes/hub/webhooks.ts'
import { xetStorageRoutes, xetTokenRoutes } from './routes/hub/xet.ts'
import type { ServerDeps } from './server-deps.ts'

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
