import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { HubServices } from '../../hub-services.ts'
import { requestUserinfo } from '../../../oauth/userinfo.ts'
import type { Clients } from '../../../oauth/client-authentication.ts'
import { startDeviceAuthorization } from '../../../oauth/device-authorization.ts'
import type { IssuerKeys } from '../../../oauth/ci/issuer-keys.ts'
import { requestToken } from '../../../oauth/token.ts'
import { clientFinderFor } from '../../plugins/fetch-metadata.ts'
import { registerOAuthErrors } from '../../plugins/oauth-errors.ts'
import { noteRemark } from '../../plugins/refusals.ts'

const tags = ['sign-in']

/** The endpoints that programs call: token, device authorization, userinfo. */
export const oauthTokenRoutes: FastifyPluginAsync<{
  deps: HubServices
  clients: Clients
  issuerKeys: IssuerKeys
}> = async (app, { deps, clients, issuerKeys }) => {
  registerOAuthErrors(app)
  const bodyLimit = 64 * 1024

  const token = {
    summary: 'Exchange a grant for tokens',
    tags,
  }
  app.post('/oauth/token', { bodyLimit, schema: token }, async (request, reply) => {
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

  const device = {
    summary: 'Start a device authorization',
    tags,
  }
  app.post('/oauth/device', { bodyLimit, schema: device }, async (request, reply) => {
    noStore(reply)
    const { response, remark } = await startDeviceAuthorization(
      deps,
      clientFinderFor(request, clients),
      { body: request.body, ...authorizationOf(request) },
    )
    noteRemark(request, remark)
    return response
  })

  const schema = {
    summary: 'Get claims about the user of an access token',
    tags,
  }
  const userinfo = async (request: FastifyRequest, reply: FastifyReply) => {
    noStore(reply)
    return requestUserinfo(deps, { body: request.body, ...authorizationOf(request) })
  }
  app.get('/oauth/userinfo', { schema }, userinfo)
  app.post('/oauth/userinfo', { bodyLimit, schema }, userinfo)
}

function authorizationOf(request: FastifyRequest): { authorization?: string } {
  const { authorization } = request.headers
  return authorization === undefined ? {} : { authorization }
}

function noStore(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
}
