import type { FastifyInstance } from 'fastify'
import { oauthAuthorizeRoutes } from './oauth/authorize-routes.ts'
import { oauthDeviceRoutes } from './oauth/device-routes.ts'
import { oauthRegistrationRoutes } from './oauth/registration-routes.ts'
import { oauthTokenRoutes } from './oauth/token-routes.ts'
import { wellKnownRoutes } from './oauth/well-known-routes.ts'
import { hubPageRoutes } from './pages/routes.ts'
import { loginRoutes } from './pages/login-routes.ts'
import { staticPageRoutes } from './pages/static-routes.ts'
import type { IssuerKeys } from './oauth/ci/issuer-keys.ts'
import type { Clients } from './oauth/client-authentication.ts'
import { createFormNonces } from './oauth/form-nonce.ts'
import type { HubServices } from './services.ts'

/** Registers sign-in (OAuth 2.0, OpenID Connect) and the Hub's pages. */
export async function registerSignInRoutes(
  app: FastifyInstance,
  deps: HubServices,
  { clients, issuerKeys }: { clients: Clients; issuerKeys: IssuerKeys },
): Promise<void> {
  const nonces = createFormNonces(deps.ids.bytes(32))
  await app.register(wellKnownRoutes, { deps })
  await app.register(oauthAuthorizeRoutes, { deps, clients, nonces })
  await app.register(oauthTokenRoutes, { deps, clients, issuerKeys })
  await app.register(oauthDeviceRoutes, { deps, nonces })
  await app.register(oauthRegistrationRoutes, { deps })
  await app.register(loginRoutes, { deps, nonces })
  await app.register(staticPageRoutes, { deps })
  await app.register(hubPageRoutes, { deps })
}
