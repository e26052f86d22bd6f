import type { FastifyInstance } from 'fastify'
import type { Inject } from '../web/inject.ts'
import { bucketFileRoutes } from './buckets/bucket-file-routes.ts'
import { bucketRoutes } from './buckets/bucket-routes.ts'
import { clientCallRoutes } from './pages/client-call-routes.ts'
import { accessRequestRoutes } from './gates/routes.ts'
import { collectionRoutes } from './collections/routes.ts'
import { discussionRoutes, revisionDiffRoutes } from './discussions/routes.ts'
import { downloadRoutes } from './files/download-routes.ts'
import { identityRoutes } from './access/routes.ts'
import { endpointCallRoutes } from './endpoints/call-routes.ts'
import { endpointRoutes } from './endpoints/routes.ts'
import { inferenceRoutes } from './inference/routes.ts'
import { gitRoutes } from './git/routes.ts'
import { hubJobRoutes } from './jobs/routes.ts'
import {
  credentialRoutes,
  hubOrganizationRoutes,
  organizationGroupRoutes,
} from './accounts/routes.ts'
import { likeRoutes } from './people/like-routes.ts'
import { lfsFileRoutes } from './repos/lfs-file-routes.ts'
import { lfsRoutes } from './uploads/lfs-routes.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { peopleRoutes } from './people/routes.ts'
import { repoFileRoutes } from './files/routes.ts'
import { repoHistoryRoutes } from './commits/routes.ts'
import { hubRepoRoutes } from './repos/routes.ts'
import { repoInfoRoutes } from './repos/info-routes.ts'
import { registryRoutes } from './registry/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { scheduledJobRoutes } from './jobs/schedule-routes.ts'
import { spaceRoutes } from './spaces/routes.ts'
import { uploadRoutes } from './uploads/routes.ts'
import { hubWebhookRoutes } from './webhooks/routes.ts'
import { xetStorageRoutes, xetTokenRoutes } from './xet/routes.ts'
import type { HubServices } from './services.ts'

/** Registers the Hub's API and the contents of repos. */
export async function registerApiRoutes(
  app: FastifyInstance,
  deps: HubServices,
  inject: Inject,
): Promise<void> {
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
  await app.register(registryRoutes, { deps })
  await app.register(repoHistoryRoutes, { deps })
  await app.register(revisionDiffRoutes, { deps })
  await app.register(discussionRoutes, { deps })
  await app.register(collectionRoutes, { deps })
  await app.register(searchRoutes, { deps })
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
}
