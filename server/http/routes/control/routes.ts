import type { FastifyPluginAsync } from 'fastify'
import type { ServerDeps } from '../../server-deps.ts'
import type { FindClient } from '../../../oauth/client-authentication.ts'
import { createSnapshots } from '../../../fixtures/snapshots/snapshots.ts'
import { auditRoutes } from './audits.ts'
import { registerControlErrors } from '../../plugins/control-errors.ts'
import { registerControlGuard } from '../../plugins/control-guard.ts'
import type { DocumentedRoute } from '../../openapi.ts'
import type { Inject } from '../../inject.ts'
import { liveRoutes } from './live.ts'
import { auditLogRoutes, organizationRoutes, userRoutes } from './accounts.ts'
import { adviceRoutes } from './advice.ts'
import { appRoutes } from './apps.ts'
import { clockRoutes } from './clock.ts'
import { collectionRoutes } from './collections.ts'
import { deliveryRoutes, idleRoutes } from './deliveries.ts'
import { eventRoutes } from './events.ts'
import { barrierRoutes, faultRoutes } from './faults.ts'
import { flowRoutes } from './flows.ts'
import { reportRoutes } from './reports.ts'
import { forkRoutes } from './forks.ts'
import { frameRoutes } from './frames.ts'
import { healthRoutes, overviewRoutes } from './health.ts'
import { overrideRoutes } from './overrides.ts'
import { inferenceEndpointRoutes } from './inference-endpoints.ts'
import { jobRoutes } from './jobs.ts'
import { keyRoutes } from './keys.ts'
import { linkRoutes } from './links.ts'
import { fixRoutes } from './fixes.ts'
import { controlMcpRoutes } from './mcp.ts'
import { metadataDocumentRoutes } from './metadata-documents.ts'
import { openApiRoutes } from './openapi.ts'
import { ciIssuerRoutes } from './ci-issuer.ts'
import { publisherRoutes } from './publishers.ts'
import { repoContentRoutes } from './repo-contents.ts'
import { repoRoutes } from './repos.ts'
import { requestRoutes } from './requests.ts'
import { resendRoutes } from './resends.ts'
import { fixturesRoutes, snapshotRoutes } from './sandbox.ts'
import { authorizeRoutes, deviceRoutes, sessionRoutes } from './sign-in.ts'
import { scheduledJobRoutes } from './scheduled-jobs.ts'
import { searchRoutes } from './search.ts'
import { tokenRoutes } from './tokens.ts'
import { demoRoutes } from './demos.ts'
import { experimentRoutes } from './experiments.ts'
import { webhookRoutes } from './webhooks.ts'

const resources = [
  overviewRoutes,
  overrideRoutes,
  fixturesRoutes,
  sessionRoutes,
  deviceRoutes,
  tokenRoutes,
  appRoutes,
  metadataDocumentRoutes,
  publisherRoutes,
  userRoutes,
  organizationRoutes,
  auditLogRoutes,
  repoRoutes,
  repoContentRoutes,
  collectionRoutes,
  webhookRoutes,
  deliveryRoutes,
  idleRoutes,
  linkRoutes,
  eventRoutes,
  jobRoutes,
  scheduledJobRoutes,
  inferenceEndpointRoutes,
  adviceRoutes,
  flowRoutes,
  reportRoutes,
  fixRoutes,
  clockRoutes,
  keyRoutes,
  forkRoutes,
  frameRoutes,
]

/** Everything below `/_sandbox/` except the dashboard's pages. */
export const controlRoutes: FastifyPluginAsync<{
  deps: ServerDeps
  findClient: FindClient
  documented: readonly DocumentedRoute[]
  /** The whole server, hub and control API. */
  inject: Inject
}> = async (app, { deps, findClient, documented, inject }) => {
  registerControlErrors(app)
  const snapshots = createSnapshots(deps)
  await app.register(async (open) => {
    // Programs may check the health without a token; pages of other origins may not.
    const { controlToken: _controlToken, ...withoutToken } = deps.settings
    registerControlGuard(open, withoutToken)
    await open.register(healthRoutes, { deps })
  })
  await app.register(ciIssuerRoutes, { deps })
  await app.register(async (guarded) => {
    registerControlGuard(guarded, deps.settings)
    await guarded.register(liveRoutes, { deps })
    await guarded.register(openApiRoutes, { deps, documented })
    await guarded.register(controlMcpRoutes, { deps, inject })
    await guarded.register(
      async (api) => {
        // Called and not registered: a context of its own for each would be the same again, and takes time to build.
        await authorizeRoutes(api, { deps, findClient })
        await faultRoutes(api, { deps, documented })
        await barrierRoutes(api, { deps, documented })
        await requestRoutes(api, { deps, documented })
        await snapshotRoutes(api, { deps, snapshots })
        await searchRoutes(api, { deps, snapshots })
        await demoRoutes(api, { deps, inject })
        await resendRoutes(api, { deps, inject })
        await experimentRoutes(api, { deps, inject })
        await auditRoutes(api, { deps, inject })
        for (const routes of resources) await routes(api, { deps })
      },
      { prefix: '/_sandbox/api' },
    )
  })
}
