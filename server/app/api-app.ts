import type { FastifyInstance } from 'fastify'
import { type BaseOptions, buildBaseApp } from '../web/base-app.ts'
import { registerHubHooks } from './hub-hooks.ts'
import type { Inject } from '../web/inject.ts'
import type { DocumentedRoute } from '../lab/openapi/openapi.ts'
import type { NameRequest } from '../web/plugins/response-headers.ts'
import { registerApiRoutes } from '../hub/api-routes.ts'
import { requireNamedActions } from '../hub/http/named-actions.ts'
import { collectRoutes } from '../lab/openapi/documented-routes.ts'
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
  await registerApiRoutes(app, deps, inject)
  await app.ready()
  return { app, routes }
}
