import type { FastifyPluginAsync } from 'fastify'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'
import { buildWhoami } from './whoami.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'

/** Identity of a token. */
export const identityRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  hub(app, 'GET /api/whoami-v2', (request, reply) => {
    reply.header('cache-control', 'no-store')
    return buildWhoami(deps, signedIn(request))
  })
}
