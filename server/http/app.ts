import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { omitUndefined } from '../core/omit-undefined.ts'
import type { Clients } from '../oauth/client-authentication.ts'
import { createFormNonces } from '../oauth/form-nonce.ts'
import { type BaseOptions, buildBaseApp, createRequestIds } from './base-app.ts'
import { openFrontDoor, type SandboxApp } from './front-door.ts'
import type { DocumentedRoute } from './openapi.ts'
import { createRequestNames } from './plugins/answer-headers.ts'
import { registerCommitBeforeAnswer } from './plugins/commit-before-answer.ts'
import { collectRoutes } from './plugins/documented-routes.ts'
import { registerFaults } from './plugins/faults.ts'
import { registerOriginGuard } from './plugins/origin-guard.ts'
import { registerRateLimits } from './plugins/rate-limits.ts'
import { registerRequestLog } from './plugins/request-log.ts'
import { takeUpgrades } from './plugins/upgrades.ts'
import { clientCallRoutes } from './routes/hub/client-calls.ts'
import { identityRoutes } from './routes/hub/identity.ts'
import { gitRoutes } from './routes/hub/git.ts'
import { hubJobRoutes } from './routes/hub/jobs.ts'
import { credentialRoutes, hubOrganizationRoutes } from './routes/hub/organizations.ts'
import { lfsFileRoutes } from './routes/hub/lfs-files.ts'
import { lfsRoutes } from './routes/hub/lfs.ts'
import { repoFileRoutes } from './routes/hub/repo-files.ts'
import { repoHistoryRoutes } from './routes/hub/repo-history.ts'
import { hubRepoRoutes } from './routes/hub/repos.ts'
import { uploadRoutes } from './routes/hub/uploads.ts'
import { hubWebhookRoutes } from './routes/hub/webhooks.ts'
import { oauthAuthorizeRoutes } from './routes/oauth/authorize.ts'
import { oauthDeviceRoutes } from './routes/oauth/device.ts'
import { oauthRegistrationRoutes } from './routes/oauth/registration.ts'
import { oauthTokenRoutes } from './routes/oauth/token.ts'
import { wellKnownRoutes } from './routes/oauth/well-known.ts'
import { hubPageRoutes } from './routes/pages/hub-pages.ts'
import { loginRoutes } from './routes/pages/login.ts'
import { registerNotFound } from './routes/pages/not-found.ts'
import { staticPageRoutes } from './routes/pages/static-pages.ts'
import type { ServerDeps } from './server-deps.ts'

export interface AppOptions {
  clients: Clients
  /** Listening already; absent = none, for requests by `inject`. */
  server?: Server
  /** Where the server logs; absent = nowhere. */
  logger?: { level: string; stream: { write(line: string): void } }
}

/** The whole server but for listening: the hub, and a door before it to all that is below `/_sandbox`. */
export async function buildApp(
  deps: ServerDeps,
  { clients, server, logger }: AppOptions,
): Promise<SandboxApp> {
  const base: BaseOptions = {
    settings: deps.settings,
    nextRequestId: createRequestIds((id) => deps.requests.isRecalled(id)),
    ...omitUndefined({ logger }),
  }
  const { hub, hubRoutes } = await buildHub(deps, clients, base, server)
  const app: SandboxApp = openFrontDoor(hub, async () => {
    const { buildControlApp } = await import('./control-app.ts')
    const { findOrFetch: findClient } = clients
    return buildControlApp({ deps, findClient, base, hubRoutes, inject: app.inject })
  })
  if (server !== undefined) takeUpgrades(server, app.routing)
  return app
}

/** Hooks and routes in the order in which they act. */
async function buildHub(
  deps: ServerDeps,
  clients: Clients,
  base: BaseOptions,
  server: Server | undefined,
): Promise<{ hub: FastifyInstance; hubRoutes: readonly DocumentedRoute[] }> {
  const app = buildBaseApp(base, { server, nameRequest: createRequestNames(deps) })
  const hubRoutes = collectRoutes(app)
  // The pictures of users are no requests of an app: every page of the dashboard shows some.
  registerRequestLog(app, deps, ({ url }) => !url.startsWith('/avatars/'))
  registerOriginGuard(app, deps)
  registerRateLimits(app, deps)
  registerFaults(app, deps)
  registerCommitBeforeAnswer(app, deps)
  registerNotFound(app, deps)

  const nonces = createFormNonces(deps.ids.bytes(32))
  await app.register(wellKnownRoutes, { deps })
  await app.register(oauthAuthorizeRoutes, { deps, clients, nonces })
  await app.register(oauthTokenRoutes, { deps, clients })
  await app.register(oauthDeviceRoutes, { deps, nonces })
  await app.register(oauthRegistrationRoutes, { deps })
  await app.register(loginRoutes, { deps, nonces })
  await app.register(identityRoutes, { deps })
  await app.register(clientCallRoutes)
  await app.register(hubOrganizationRoutes, { deps })
  await app.register(credentialRoutes, { deps })
  await app.register(hubWebhookRoutes, { deps })
  await app.register(hubJobRoutes, { deps })
  await app.register(repoFileRoutes, { deps })
  await app.register(repoHistoryRoutes, { deps })
  await app.register(hubRepoRoutes, { deps })
  await app.register(uploadRoutes, { deps })
  await app.register(gitRoutes, { deps })
  await app.register(lfsFileRoutes, { deps })
  await app.register(lfsRoutes, { deps })
  await app.register(staticPageRoutes, { deps })
  await app.register(hubPageRoutes, { deps })
  await app.ready()
  return { hub: app, hubRoutes }
}
