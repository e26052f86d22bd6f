import { hubControlRoutes } from '../../hub/hub-control.ts'
import type { ControlRoutes } from '../../web/control-route.ts'
import type { FastifyPluginAsync } from 'fastify'
import type { ServerDeps } from '../server-deps.ts'
import type { FindClient } from '../../hub/oauth/client-authentication.ts'
import { createSnapshots } from '../../fixtures/snapshots/snapshots.ts'
import { auditRoutes } from '../audit/routes.ts'
import { registerControlErrors } from '../../web/plugins/control-errors.ts'
import { registerControlGuard } from '../../web/plugins/control-guard.ts'
import type { DocumentedRoute } from '../openapi/openapi.ts'
import type { Inject } from '../../web/inject.ts'
import { liveRoutes } from '../live/routes.ts'
import { adviceRoutes } from '../checks/routes.ts'
import { appRoutes } from '../apps/routes.ts'
import { clockRoutes } from '../clock/routes.ts'
import { deliveryRoutes, idleRoutes } from '../deliveries/routes.ts'
import { eventRoutes } from '../triggers/routes.ts'
import { barrierRoutes, faultRoutes } from '../faults/routes.ts'
import { flowRoutes } from '../flows/routes.ts'
import { reportRoutes } from '../flows/report-routes.ts'
import { forkRoutes } from '../forks/routes.ts'
import { frameRoutes } from '../frames/routes.ts'
import { healthRoutes, overviewRoutes } from '../overview/routes.ts'
import { overrideRoutes } from '../faults/override-routes.ts'
import { linkRoutes } from '../links/routes.ts'
import { fixRoutes } from '../fixes/routes.ts'
import { controlMcpRoutes } from '../mcp/routes.ts'
import { openApiRoutes } from '../openapi/routes.ts'
import { ciIssuerRoutes } from '../../hub/oauth/ci/issuer-routes.ts'
import { requestRoutes } from '../requests/routes.ts'
import { resendRoutes } from '../requests/resend-routes.ts'
import { fixturesRoutes, snapshotRoutes } from '../sandbox/routes.ts'
import { authorizeRoutes, deviceRoutes, sessionRoutes } from '../sign-in/routes.ts'
import { searchRoutes } from '../search/routes.ts'
import { tokenRoutes } from '../tokens/routes.ts'
import { demoRoutes } from '../demos/routes.ts'
import { experimentRoutes } from '../experiments/routes.ts'
import { webhookRoutes } from '../webhooks/routes.ts'

const resources: readonly ControlRoutes<ServerDeps>[] = [
  ...hubControlRoutes,
  overviewRoutes,
  overrideRoutes,
  fixturesRoutes,
  sessionRoutes,
  deviceRoutes,
  tokenRoutes,
  appRoutes,
  webhookRoutes,
  deliveryRoutes,
  idleRoutes,
  linkRoutes,
  eventRoutes,
  adviceRoutes,
  flowRoutes,
  reportRoutes,
  fixRoutes,
  clockRoutes,
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
