import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { HubServices } from '../services.ts'
import { buildDiscoveryDocument, buildProtectedResourceMetadata } from './discovery.ts'
import { rootForPrograms } from '../../web/plugins/host-guard.ts'
import { registerOAuthErrors } from '../http/oauth-error-bodies.ts'
import { site } from '../http/site-route.ts'

/** Metadata and keys, which clients read first. */
export const wellKnownRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (app, { deps }) => {
  registerOAuthErrors(app)
  const { settings } = deps
  const documentFor = (root: string) => JSON.stringify(buildDiscoveryDocument(settings, root))
  const metadata = documentFor(settings.baseUrl)
  const forPrograms = documentFor(settings.backChannelUrl ?? settings.baseUrl)

  const sendMetadata = (request: FastifyRequest, reply: FastifyReply) => {
    reply.type('application/json; charset=utf-8')
    if (settings.backChannelUrl === undefined) return reply.send(metadata)
    const isBackChannel = rootForPrograms(settings, request.headers.host) !== settings.baseUrl
    // A proxy may cache by the path alone.
    return reply.header('vary', 'Host').send(isBackChannel ? forPrograms : metadata)
  }
  site(app, 'GET /.well-known/openid-configuration', sendMetadata)
  site(app, 'GET /.well-known/oauth-authorization-server', sendMetadata)

  const sendResourceMetadata = (request: FastifyRequest, reply: FastifyReply) => {
    // `resource` is under the host that the client used.
    reply.type('application/json; charset=utf-8').header('vary', 'Host')
    return reply.send(buildProtectedResourceMetadata(settings, request.root))
  }
  // RFC 9728 §3.1: at the root, and with the path of the MCP server after it.
  site(app, 'GET /.well-known/oauth-protected-resource', sendResourceMetadata)
  site(app, 'GET /.well-known/oauth-protected-resource/mcp', sendResourceMetadata)

  let keys: readonly unknown[] = []
  let keySet = ''
  function describe(published: readonly unknown[]): string {
    if (published !== keys) {
      keys = published
      keySet = JSON.stringify({ keys })
    }
    return keySet
  }
  site(app, 'GET /oauth/jwks', (_request, reply) => {
    reply.type('application/jwk-set+json; charset=utf-8')
    const published = deps.keys.published()
    // Clients request this often, and a promise would cost more than the rest of the handler.
    return published instanceof Promise
      ? published.then((found) => reply.send(describe(found)))
      : reply.send(describe(published))
  })
}
