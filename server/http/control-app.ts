import type { FastifyInstance } from 'fastify'
import type { FindClient } from '../oauth/client-authentication.ts'
import { type BaseOptions, buildBaseApp } from './base-app.ts'
import type { Inject } from './inject.ts'
import type { DocumentedRoute } from './openapi.ts'
import { registerCommitBeforeResponse } from './plugins/commit-before-response.ts'
import { collectRoutes } from './plugins/documented-routes.ts'
import { registerFaults } from './plugins/faults.ts'
import { registerHeaderLimit } from './plugins/header-limit.ts'
import { registerRequestLog, registerStandIns } from './plugins/request-log.ts'
import { controlRoutes } from './routes/control/routes.ts'
import { dashboardRoutes } from './routes/pages/dashboard.ts'
import { registerNotFound } from './routes/pages/not-found.ts'
import { stylesheetRoutes } from './routes/pages/stylesheet.ts'
import type { ServerDeps } from './server-deps.ts'

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
