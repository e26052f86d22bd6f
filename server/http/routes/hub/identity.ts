import type { FastifyPluginAsync } from 'fastify'
import type { ServerDeps } from '../../server-deps.ts'
import { Refusal } from '../../../core/refusal.ts'
import { buildWhoami } from '../../../hub/whoami.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal } from '../../plugins/principal.ts'

/** Who a token belongs to. */
export const identityRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (app, { deps }) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  const schema = {
    summary: 'Who a token or session belongs to',
    tags: ['identity'],
  }
  app.get('/api/whoami-v2', { schema }, (request, reply) => {
    const { principal } = request
    if (principal.kind === 'anonymous') {
      throw new Refusal('unauthenticated', 'Invalid username or password.', {
        detail: 'send an access token: Authorization: Bearer hf_…',
      })
    }
    return reply.header('Cache-Control', 'no-store').send(buildWhoami(deps, principal))
  })
}
