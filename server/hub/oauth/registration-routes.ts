import type { FastifyPluginAsync } from 'fastify'
import type { HubServices } from '../services.ts'
import { registerClient } from './registration.ts'
import { noteRemark } from '../../web/plugins/refusals.ts'
import { type BodyRefusals, formRefusals, registerOAuthErrors } from '../http/oauth-error-bodies.ts'
import { site } from '../http/site-route.ts'

/** Error codes for invalid metadata (RFC 7591 §3.2.2). */
const metadataRefusals: BodyRefusals = {
  ...formRefusals,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 400,
    code: 'invalid_client_metadata',
    description:
      'Send the client metadata as a JSON object, with the content type application/json.',
  },
  FST_ERR_CTP_INVALID_JSON_BODY: {
    status: 400,
    code: 'invalid_client_metadata',
    description: 'The client metadata is not valid JSON.',
  },
}

/** Dynamic client registration (RFC 7591) without authentication. */
export const oauthRegistrationRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerOAuthErrors(app, metadataRefusals)
  site(app, 'POST /oauth/register', async (request, reply) => {
    const { response, remark } = registerClient(deps, request.body)
    noteRemark(request, remark)
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    return response
  })
}
