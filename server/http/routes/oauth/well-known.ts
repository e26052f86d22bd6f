import type { FastifyPluginAsync } from 'fastify'
import type { ServerDeps } from '../../server-deps.ts'
import { buildDiscoveryDocument } from '../../../oauth/discovery.ts'
import { registerOAuthErrors } from '../../plugins/oauth-errors.ts'

const tags = ['sign-in']

/** Metadata and keys: what a client reads before anything else. */
export const wellKnownRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (app, { deps }) => {
  registerOAuthErrors(app)
  const metadata = JSON.stringify(
    buildDiscoveryDocument(deps.settings.baseUrl, deps.settings.strict),
  )

  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    const schema = { summary: 'Metadata', tags }
    app.get(`/.well-known/${name}`, { schema }, (_request, reply) => {
      reply.type('application/json; charset=utf-8').send(metadata)
    })
  }
  const schema = { summary: 'Signing keys', tags }
  let keys: readonly unknown[] = []
  let keySet = ''
  app.get('/oauth/jwks', { schema }, async (_request, reply) => {
    const published = await deps.keys.published()
    if (published !== keys) {
      keys = published
      keySet = JSON.stringify({ keys })
    }
    reply.type('application/jwk-set+json; charset=utf-8')
    return keySet
  })
}
