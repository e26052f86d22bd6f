import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { Clients } from '../hub/oauth/client-authentication.ts'
import { registerSignInRoutes } from '../hub/sign-in-routes.ts'
import { type BaseOptions, buildBaseApp, createRequestIds } from '../web/base-app.ts'
import { createLateApp, openFrontDoor, type SandboxApp } from '../web/front-door.ts'
import { registerHubHooks } from './hub-hooks.ts'
import { isApiAddress, isControlAddress } from '../web/app-of-url.ts'
import type { DocumentedRoute } from '../lab/openapi/openapi.ts'
import { createRequestNames, type NameRequest } from '../web/plugins/response-headers.ts'
import { collectRoutes } from '../lab/openapi/documented-routes.ts'
import { logMalformed } from '../inspect/log/request-hooks.ts'
import { stallMs as usualStallMs } from '../web/plugins/stalled-bodies.ts'
import { takeUpgrades } from '../web/plugins/take-upgrades.ts'
import type { IssuerKeys } from '../hub/oauth/ci/issuer-keys.ts'
import type { ServerDeps } from '../lab/server-deps.ts'

export interface AppOptions {
  clients: Clients
  issuerKeys: IssuerKeys
  /** Server that listens already; absent for requests by `inject` only. */
  server?: Server
  /** Log of the server; absent = none. */
  logger?: { level: string; stream: { write(line: string): void } }
  /** Time after which a stalled body is given up (default: 60 s). */
  stallMs?: number
}

/**
 * Builds the server without listening: sign-in and the hub's pages at once; the hub's API and everything below `/_sandbox` at their first request.
 */
export async function buildApp(
  deps: ServerDeps,
  { clients, issuerKeys, server, logger, stallMs = usualStallMs }: AppOptions,
): Promise<SandboxApp> {
  const base: BaseOptions = {
    settings: deps.settings,
    nextRequestId: createRequestIds((id) => deps.requests.isRecalled(id)),
    stallMs,
    ...omitUndefined({ logger }),
  }
  const nameRequest = createRequestNames(deps)
  const { app: first, routes } = await buildSignInApp(deps, { clients, issuerKeys }, base, {
    server,
    nameRequest,
  })
  const api = createLateApp(isApiAddress, async () => {
    const { buildApiApp } = await import('./api-app.ts')
    return buildApiApp(deps, base, nameRequest, (request) => app.inject(request))
  })
  const control = createLateApp(isControlAddress, async () => {
    const [{ buildControlApp }, ofApi] = await Promise.all([import('./control-app.ts'), api.open()])
    const { findOrFetch: findClient } = clients
    const hubRoutes = [...routes, ...ofApi.routes]
    return { app: await buildControlApp({ deps, findClient, base, hubRoutes, inject: app.inject }) }
  })
  watchFullLog(deps, () => control.open())
  const app: SandboxApp = openFrontDoor(first, [control, api])
  if (server !== undefined) takeUpgrades(server, app.routing)
  return app
}

/** Builds the control API, which has the checks, before the log drops a request. */
function watchFullLog(
  { bus, requests, settings }: Pick<ServerDeps, 'bus' | 'requests' | 'settings'>,
  open: () => Promise<unknown>,
): void {
  const stop = bus.on('request.completed', () => {
    if (requests.size < settings.caps.requests / 2) return
    stop()
    // The request that needs it next retries, and fails with the reason.
    open().catch(() => {})
  })
}

/** Hooks and routes in the order in which they act. */
async function buildSignInApp(
  deps: ServerDeps,
  { clients, issuerKeys }: { clients: Clients; issuerKeys: IssuerKeys },
  base: BaseOptions,
  own: { server: Server | undefined; nameRequest: NameRequest },
): Promise<{ app: FastifyInstance; routes: readonly DocumentedRoute[] }> {
  const app = buildBaseApp(base, {
    ...own,
    noteMalformed: (malformed) => logMalformed(deps, base.nextRequestId(), malformed),
  })
  const routes = collectRoutes(app)
  registerHubHooks(app, deps)

  await registerSignInRoutes(app, deps, { clients, issuerKeys })
  await app.ready()
  return { app, routes }
}
