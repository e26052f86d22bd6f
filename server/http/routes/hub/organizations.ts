import type { FastifyPluginAsync } from 'fastify'
import type { ServerDeps } from '../../server-deps.ts'
import { requestAuditLog } from '../../../oauth/audit-log.ts'
import { reportCredentials, revokeForOrganization } from '../../../oauth/credential-revocation.ts'
import { contentDisposition } from '../../content-disposition.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal } from '../../plugins/principal.ts'

const tags = ['organizations']

interface ByName {
  Params: { name: string }
}

/** Administration of an organization: tokens of members and the audit log. */
export const hubOrganizationRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  app.get<ByName & { Querystring: { q?: unknown } }>(
    '/api/organizations/:name/audit-log/export',
    {
      schema: {
        summary: 'Export the audit log',
        tags,
      },
    },
    async ({ principal, params: { name }, query, root }, reply) => {
      const entries = await requestAuditLog(deps, { principal, name, query: query.q ?? '', root })
      reply.header('content-disposition', contentDisposition(`${name}-audit-log.json`, true))
      return entries
    },
  )

  app.post<ByName>(
    '/api/organizations/:name/settings/tokens/revoke',
    {
      schema: {
        summary: 'Revoke the access of a token to the organization',
        tags,
      },
    },
    async ({ principal, params, body }) => {
      await revokeForOrganization(deps, { principal, name: params.name, body })
      return { success: true }
    },
  )
}

/** Reports leaked tokens: open to all, and the same answer whatever was sent. */
export const credentialRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (app, { deps }) => {
  registerHubErrors(app)
  app.post(
    '/api/credentials/revoke',
    {
      schema: {
        summary: 'Report leaked tokens',
        tags: ['credentials'],
      },
    },
    async (request, reply) => {
      await reportCredentials(deps, request.body)
      return reply.code(202).send({})
    },
  )
}
