import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerDeps } from '../../server-deps.ts'
import { buildUserinfo } from '../../../oauth/userinfo.ts'
import type { Clients } from '../../../oauth/client-authentication.ts'
import { startDeviceAuthorization } from '../../../oauth/device-authorization.ts'
import { Refusal } from '../../../core/refusal.ts'
import { readForm, readFormOrJson } from '../../../oauth/forms.ts'
import { identifyBearer } from '../../../oauth/identify.ts'
import { requestToken } from '../../../oauth/token.ts'
import { clientFinderFor } from '../../plugins/fetch-metadata.ts'
import { registerOAuthErrors } from '../../plugins/oauth-errors.ts'

const tags = ['sign-in']

/** The endpoints that programs call: token, device authorization, userinfo. */
export const oauthTokenRoutes: FastifyPluginAsync<{
  deps: ServerDeps
  clients: Clients
}> = async (app, { deps, clients }) => {
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
    return requestToken(deps, clients.findKnown, {
      parameters: readTokenParameters(request.body),
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
    return startDeviceAuthorization(deps, clientFinderFor(request, clients), {
      parameters: readFormOrJson(request.body),
      ...authorizationOf(request),
    })
  })

  const schema = {
    summary: 'Claims about the user of an access token',
    tags,
  }
  const userinfo = async (request: FastifyRequest, reply: FastifyReply) => {
    noStore(reply)
    const principal = identifyBearer(deps, bearerOf(request))
    if (principal.kind !== 'token') {
      throw new Refusal('invalid_token', 'Send an access token: Authorization: Bearer <token>.')
    }
    return buildUserinfo(deps, principal.token)
  }
  app.get('/oauth/userinfo', { schema }, userinfo)
  app.post('/oauth/userinfo', { bodyLimit, schema }, userinfo)
}

/** A JSON body belongs to the exchange of CI identity tokens, which is refused by name. */
function readTokenParameters(body: unknown): ReturnType<typeof readForm> {
  if (typeof body === 'object' && body !== null && 'subject_token_type' in body) {
    throw new Refusal(
      'invalid_request',
      'The exchange of CI identity tokens (trusted publishers) is not emulated by this sandbox; send forms to this endpoint.',
    )
  }
  return readForm(body)
}

/** RFC 6750 §2.2: a form may carry the token instead of the header, but not both. */
function bearerOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  const token =
    request.body instanceof URLSearchParams ? readForm(request.body)['access_token'] : undefined
  if (token === undefined) return authorization
  if (authorization !== undefined) {
    throw new Refusal('invalid_request', 'Send the access token once: in the header or the form.')
  }
  return `Bearer ${token}`
}

function authorizationOf(request: FastifyRequest): { authorization?: string } {
  const { authorization } = request.headers
  return authorization === undefined ? {} : { authorization }
}

function noStore(reply: FastifyReply): void {
  reply.header('Cache-Control', 'no-store').header('Pragma', 'no-cache')
}
