import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { accessRules } from '../access/access-rules.ts'
import { nameScopes, narrowestScopes } from '../access/token-limits.ts'
import { type Principal, unauthenticated } from '../access/principal.ts'
import { mcpPath } from '../oauth/discovery.ts'
import { identifyBearer } from '../oauth/identify.ts'
import type { Inject } from '../../web/inject.ts'
import { isLogin, registerMcpErrors } from '../../web/mcp/mcp-errors.ts'
import { HttpRefusal } from '../../web/plugins/refusals.ts'
import { hubApi } from '../../contract/hub-api.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/** The Hub's MCP server. Its tools are calls of the hub's API with the credentials of the caller. */
export const mcpRoutes: FastifyPluginAsync<{ deps: HubServices; inject: Inject }> = async (
  app,
  { deps, inject },
) => {
  registerMcpErrors(app)

  hub(app, 'POST /mcp', async (request, reply) => {
    const caller = admit(deps, request)
    const [{ respondToMcp }, { createHubTools }] = await Promise.all([
      import('../../web/mcp/serve-mcp.ts'),
      import('./hub-tools.ts'),
    ])
    let refused: Refusal | undefined
    const { host = '', authorization } = request.headers
    const tools = createHubTools({
      inject,
      headers: { host, ...omitUndefined({ authorization }) },
      username: caller.kind === 'anonymous' ? undefined : caller.user.username,
      version: deps.settings.version,
      refused: (refusal) => (refused ??= refusal),
    })
    const response = await respondToMcp(tools, request)
    // Only a client that signed in learns of missing scopes; others read public data.
    if (refused !== undefined && caller.kind !== 'anonymous') throw withScopes(refused, caller)
    reply.code(response.status).header('cache-control', 'no-store')
    for (const [name, value] of response.headers) reply.header(name, value)
    return reply.send(await response.text())
  })

  for (const method of ['GET', 'DELETE'] as const) {
    app.route({
      method,
      url: mcpPath,
      config: hubApi['POST /mcp'].access,
      schema: { hide: true },
      handler(request, reply) {
        admit(deps, request)
        reply.header('allow', 'POST')
        throw new HttpRefusal(
          405,
          'invalid',
          'The MCP server has no streams and no sessions: send each message by POST.',
        )
      },
    })
  }
}

/**
 * Identifies the caller and checks that its token is for the MCP server. Tokens of apps need the scope `read-mcp`, as on the Hub.
 * @throws {Refusal} `invalid_token`; `unauthenticated` for `?login` without a token; `forbidden` with the missing scope
 */
function admit(deps: HubServices, request: FastifyRequest): Principal {
  const caller = identifyBearer(deps, request.headers.authorization)
  if (caller.kind === 'anonymous' && isLogin(request.url)) {
    throw new Refusal('unauthenticated', 'Sign in to use this MCP server.', {
      detail: unauthenticated.detail,
    })
  }
  if (caller.kind !== 'token' || caller.token.kind !== 'oauth') return caller
  const { scopes, resources = [] } = caller.token
  if (deps.settings.requireResource && !resources.some((uri) => isThisServer(deps, request, uri))) {
    throw new Refusal('invalid_token', 'The token was issued for another resource.', {
      detail: `the token is for ${resources.join(', ') || 'no resource'}, not for ${request.root}${mcpPath} (RFC 8707)`,
    })
  }
  const { label, scopes: needs } = accessRules['mcp.call']
  if (needs.every((any) => any.some((scope) => scopes.includes(scope)))) return caller
  const scope = narrowestScopes(needs).join(' ')
  const message = `${label} needs ${nameScopes(needs)}.`
  throw withScopes(new Refusal('forbidden', message, { scope }), caller)
}

/** Returns whether a resource is the MCP server, by the base URL or the host of the request, with `?login` or without. */
function isThisServer({ settings }: HubServices, { root }: FastifyRequest, resource: string) {
  if (!URL.canParse(resource)) return false
  const { origin, pathname } = new URL(resource)
  return pathname === mcpPath && [new URL(settings.baseUrl).origin, root].includes(origin)
}

/** Adds the scopes that the token has: a client that steps up must not lose them. */
function withScopes(refusal: Refusal, caller: Principal): Refusal {
  const { code, message, detail, scope } = refusal
  if (scope === undefined || caller.kind !== 'token') return refusal
  const granted = caller.token.kind === 'oauth' ? caller.token.scopes : []
  const scopes = [...new Set([...granted, scope])].join(' ')
  return new Refusal(code, message, { scope: scopes, ...omitUndefined({ detail }) })
}
