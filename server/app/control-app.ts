import type { FastifyInstance } from 'fastify'
import type { FindClient } from '../hub/oauth/client-authentication.ts'
import { type BaseOptions, buildBaseApp } from '../web/base-app.ts'
import type { Inject } from '../web/inject.ts'
import type { DocumentedRoute } from '../lab/openapi/openapi.ts'
import { registerCommitBeforeResponse } from '../web/plugins/commit-before-response.ts'
import { collectRoutes } from '../lab/openapi/documented-routes.ts'
import { registerFaults } from '../lab/faults/fault-hooks.ts'
import { registerHeaderLimit } from '../web/plugins/header-limits.ts'
import { registerRequestLog, registerStandIns } from '../inspect/log/request-hooks.ts'
import { controlRoutes } from '../lab/control/routes.ts'
import { dashboardRoutes } from '../lab/dashboard/routes.ts'
import { registerNotFound } from '../hub/pages/not-found.ts'
import { stylesheetRoutes } from '../hub/pages/stylesheet-routes.ts'
import type { ServerDeps } from '../lab/server-deps.ts'

export interface ControlAppParts {
  deps: ServerDeps
  findClient: FindClient
  base: BaseOptions
  /** Routes of the hub, for the OpenAPI document. */
  hubRoutes: readonly DocumentedRoute[]
  /** The whole server, for demos. */
  inject: Inject
}

/**
 * Builds everything below `/_sandbox`: control API, live feed, dashboard. It is larger than the hub and a headless start needs none of it, so it is imported at the first request.
 */
export async function buildControlApp(parts: ControlAppParts): Promise<FastifyInstance> {
  const { deps, findClient, base, hubRoutes, inject } = parts
  const app = buildBaseApp(base)
  const documented = collectRoutes(app, hubRoutes)
  // A call that was refused before its body was read has none.
  registerRequestLog(app, deps, ({ standIn }) => standIn !== undefined)
  registerHeaderLimit(app)
  registerStandIns(app)
  registerFaults(app, deps, ({ standIn }) => standIn !== undefined)
  registerCommitBeforeResponse(app, deps)
  registerNotFound(app, deps)

  await app.register(controlRoutes, { deps, findClient, documented, inject })
  await app.register(dashboardRoutes, { deps })
  await app.register(stylesheetRoutes)
  await app.ready()
  return app
}
