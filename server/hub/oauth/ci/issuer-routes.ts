import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import type { HubServices } from '../../services.ts'
import { ciDiscovery, mintCiToken, readRequestToken, requireCiProvider } from './mint.ts'

const Params = Type.Object({ provider: Type.String() })
const Query = Type.Object({ audience: Type.Optional(Type.String({ minLength: 1 })) })

/**
 * The CI provider that the sandbox itself is: metadata and keys for everyone, and the ID tokens that a GitHub job requests
 * with its own bearer token. Below `/_sandbox/ci`, without the control token.
 */
export const ciIssuerRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  app.get<{ Params: { provider: string } }>(
    '/_sandbox/ci/:provider/.well-known/openid-configuration',
    { schema: { hide: true, params: Params } },
    async ({ params }) => ciDiscovery(deps.settings, requireCiProvider(params.provider)),
  )
  app.get<{ Params: { provider: string } }>(
    '/_sandbox/ci/:provider/.well-known/jwks',
    { schema: { hide: true, params: Params } },
    async ({ params }) => {
      requireCiProvider(params.provider)
      return { keys: await deps.keys.published() }
    },
  )
  app.get<{ Querystring: { audience?: string } }>(
    '/_sandbox/ci/github/token',
    { schema: { hide: true, querystring: Query } },
    async ({ query: { audience }, headers }, reply) => {
      const job = await readRequestToken(deps, headers.authorization)
      reply.header('cache-control', 'no-store')
      const { token } = await mintCiToken(deps, {
        provider: 'github',
        ...job,
        ...(audience === undefined ? {} : { audience }),
      })
      return { count: token.length, value: token }
    },
  )
}
