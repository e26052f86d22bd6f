import type { FastifyPluginAsync } from 'fastify'
import type { ServerDeps } from '../../server-deps.ts'
import { registerClient } from '../../../oauth/registration.ts'
import { registerOAuthErrors } from '../../plugins/oauth-errors.ts'

/** Dynamic client registration (RFC 7591), open to all. */
export const oauthRegistrationRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (
  app,
  { deps },
) => {
  registerOAuthErrors(app)
  const schema = {
    summary: 'Register an app',
    tags: ['sign-in'],
  }
  app.post('/oauth/register', { bodyLimit: 64 * 1024, schema }, async (request, reply) => {
    const registered = await registerClient(deps, request.body)
    return reply
      .code(201)
      .header('cache-control', 'no-store')
      .header('pragma', 'no-cache')
      .send(registered)
  })
}
