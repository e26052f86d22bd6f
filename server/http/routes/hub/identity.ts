import type { FastifyPluginAsync } from 'fastify'
import type { HubServices } from '../../hub-services.ts'
import { buildWhoami } from '../../../hub/access/whoami.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'

/** Identity of a token. */
export const identityRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  const schema = {
    summary: 'Get the user of a token or session',
    tags: ['identity'],
  }
  app.get('/api/whoami-v2', { config: { actions: ['identity.read'] }, schema }, (request, reply) =>
    reply.header('cache-control', 'no-store').send(buildWhoami(deps, signedIn(request))),
  )
}
