import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { HubServices } from '../services.ts'
import { requestUserinfo } from './userinfo.ts'
import type { Clients } from './client-authentication.ts'
import { startDeviceAuthorization } from './device-authorization.ts'
import type { IssuerKeys } from './ci/issuer-keys.ts'
import { requestToken } from './token.ts'
import { clientFinderFor } from '../http/client-finder.ts'
import { registerOAuthErrors } from '../http/oauth-error-bodies.ts'
import { noteRemark } from '../../web/plugins/refusals.ts'
import { site } from '../http/site-route.ts'

/** The endpoints that programs call: token, device authorization, userinfo. */
export const oauthTokenRoutes: FastifyPluginAsync<{
  deps: HubServices
  clients: Clients
  issuerKeys: IssuerKeys
}> = async (app, { deps, clients, issuerKeys }) => {
  registerOAuthErrors(app)

  site(app, 'POST /oauth/token', async (request, reply) => {
    noStore(reply)
    const origin = {
      ip: request.ip,
      ...(request.headers['user-agent'] === undefined
        ? {}
        : { userAgent: request.headers['user-agent'] }),
    }
    return requestToken(deps, clients.findKnown, issuerKeys, {
      body: request.body,
      origin,
      ...authorizationOf(request),
    })
  })

  site(app, 'POST /oauth/device', async (request, reply) => {
    noStore(reply)
    const { response, remark } = await startDeviceAuthorization(
      deps,
      clientFinderFor(request, clients),
      { body: request.body, ...authorizationOf(request) },
    )
    noteRemark(request, remark)
    return response
  })

  const userinfo = async (request: FastifyRequest, reply: FastifyReply) => {
    noStore(reply)
    return requestUserinfo(deps, { body: request.body, ...authorizationOf(request) })
  }
  site(app, 'GET /oauth/userinfo', userinfo)
  site(app, 'POST /oauth/userinfo', userinfo)
}

function authorizationOf(request: FastifyRequest): { authorization?: string } {
  const { authorization } = request.headers
  return authorization === undefined ? {} : { authorization }
}

function noStore(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
}
