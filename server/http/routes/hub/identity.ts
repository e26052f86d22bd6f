import type { FastifyPluginAsync } from 'fastify'
import { hub } from './endpoint.ts'
import type { HubServices } from '../../hub-services.ts'
import { buildWhoami } from '../../../hub/access/whoami.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'

/** Identity of a token. */
export const identityRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  hub(app, 'GET /api/whoami-v2', (request, reply) => {
    reply.header('cache-control', 'no-store')
    return buildWhoami(deps, signedIn(request))
  })
}
