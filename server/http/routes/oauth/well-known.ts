import type { FastifyPluginAsync } from 'fastify'
import type { HubServices } from '../../hub-services.ts'
import { buildDiscoveryDocument, buildProtectedResourceMetadata } from '../../../oauth/discovery.ts'
import { rootForPrograms } from '../../plugins/host-guard.ts'
import { registerOAuthErrors } from '../../plugins/oauth-errors.ts'

const tags = ['sign-in']

/** RFC 9728 §3.1: at the root, and with the path of the MCP server after it. */
const protectedResourcePaths = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
]

/** Metadata and keys, which clients read first. */
export const wellKnownRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerOAuthErrors(app)
  const { settings } = deps
  const documentFor = (root: string) => JSON.stringify(buildDiscoveryDocument(settings, root))
  const metadata = documentFor(settings.baseUrl)
  const forPrograms = documentFor(settings.backChannelUrl ?? settings.baseUrl)

  for (const name of ['openid-configuration', 'oauth-authorization-server']) {
    const schema = { summary: 'Get the server metadata', tags }
    app.get(`/.well-known/${name}`, { schema }, (request, reply) => {
      reply.type('application/json; charset=utf-8')
      if (settings.backChannelUrl === undefined) return reply.send(metadata)
      const isBackChannel = rootForPrograms(settings, request.headers.host) !== settings.baseUrl
      // A proxy may cache by the path alone.
      return reply.header('vary', 'Host').send(isBackChannel ? forPrograms : metadata)
    })
  }
  for (const path of protectedResourcePaths) {
    const schema = { summary: 'Get the metadata of the MCP server', tags: ['mcp'] }
    app.get(path, { schema }, (request, reply) => {
      // `resource` is under the host that the client used.
      reply.type('application/json; charset=utf-8').header('vary', 'Host')
      return reply.send(buildProtectedResourceMetadata(settings, request.root))
    })
  }
  const schema = { summary: 'Get the signing keys', tags }
  let keys: readonly unknown[] = []
  let keySet = ''
  function describe(published: readonly unknown[]): string {
    if (published !== keys) {
      keys = published
      keySet = JSON.stringify({ keys })
    }
    return keySet
  }
  app.get('/oauth/jwks', { schema }, (_request, reply) => {
    reply.type('application/jwk-set+json; charset=utf-8')
    const published = deps.keys.published()
    // Clients request this often, and a promise would cost more than the rest of the handler.
    return published instanceof Promise ? published.then(describe) : reply.send(describe(published))
  })
}
