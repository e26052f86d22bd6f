import fastify, { type FastifyInstance } from 'fastify'
import type { ServerDeps } from '../../server/core/server-deps.ts'
import type { Settings } from '../../server/core/settings.ts'
import { createRequestLog, type RequestLog } from '../../server/events/request-log.ts'
import { createFormNonces } from '../../server/oauth/form-nonce.ts'
import { createClientFinder, type FetchedDocument } from '../../server/oauth/metadata-document.ts'
import { registerBodyParsers } from '../../server/plugins/bodies.ts'
import { registerHostGuard } from '../../server/plugins/host-guard.ts'
import { registerNotFound } from '../../server/plugins/not-found.ts'
import { registerOriginGuard } from '../../server/plugins/origin-guard.ts'
import { registerRequestLog } from '../../server/plugins/request-log.ts'
import { identityRoutes } from '../../server/routes/identity.ts'
import { loginRoutes } from '../../server/routes/login.ts'
import { oauthAuthorizeRoutes } from '../../server/routes/oauth-authorize.ts'
import { oauthDeviceRoutes } from '../../server/routes/oauth-device.ts'
import { oauthRegistrationRoutes } from '../../server/routes/oauth-registration.ts'
import { oauthTokenRoutes } from '../../server/routes/oauth-token.ts'
import { credentialRoutes, organizationRoutes } from '../../server/routes/organizations.ts'
import { staticPageRoutes } from '../../server/routes/static-pages.ts'
import { wellKnownRoutes } from '../../server/routes/well-known.ts'
import { createTestDeps, type TestWorld } from './deps.ts'

export interface TestApp extends TestWorld {
  server: FastifyInstance
  requests: RequestLog
  /** Sites that metadata documents are fetched from, by address; any other cannot be reached. */
  sites: Map<string, FetchedDocument>
}

/** The OAuth side of the server over {@link createTestDeps}, for requests by `inject`. */
export async function buildTestApp(settings: Partial<Settings> = {}): Promise<TestApp> {
  const world = await createTestDeps(settings)
  // The OAuth routes take nothing else of the server's services.
  const requests = createRequestLog(world.deps.settings.caps.requests)
  const deps = { ...world.deps, requests } as unknown as ServerDeps
  const sites = new Map<string, FetchedDocument>()
  const findClient = createClientFinder({
    ...world.deps,
    documents: () => world.documents,
    async fetchDocument(url) {
      const site = sites.get(url.href)
      if (site === undefined) throw new Error('nothing listens there')
      return site
    },
  })
  const nonces = createFormNonces(world.deps.ids.bytes(32))

  const server = fastify({ requestIdHeader: false, exposeHeadRoutes: true })
  registerBodyParsers(server)
  registerHostGuard(server, deps.settings)
  registerRequestLog(server, deps)
  registerOriginGuard(server, deps)
  registerNotFound(server)
  await server.register(wellKnownRoutes, { deps })
  await server.register(oauthAuthorizeRoutes, { deps, findClient, nonces })
  await server.register(oauthTokenRoutes, { deps, findClient })
  await server.register(oauthDeviceRoutes, { deps, nonces })
  await server.register(oauthRegistrationRoutes, { deps })
  await server.register(loginRoutes, { deps })
  await server.register(identityRoutes, { deps })
  await server.register(organizationRoutes, { deps })
  await server.register(credentialRoutes, { deps })
  await server.register(staticPageRoutes, { deps })
  return { ...world, server, requests, sites }
}
