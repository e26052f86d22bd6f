import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { ServerDeps } from '../../server-deps.ts'
import { permit } from '../../../hub/access.ts'
import { Refusal } from '../../../core/refusal.ts'
import { exportAuditLog } from '../../../oauth/audit-log.ts'
import { revokeCredentials, revokeForOrganization } from '../../../oauth/credential-revocation.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal } from '../../plugins/principal.ts'
import type { Organization } from '../../../state/entities/accounts.ts'
import { nameKey } from '../../../state/state.ts'

const tags = ['organizations']

interface ByName {
  Params: { name: string }
}

/** What administrators of an organization do about tokens, and the audit log they read. */
export const organizationRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (
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
    (request, reply) => {
      const organization = organizationOf(request)
      permit(deps, request.principal, { action: 'audit-log.read', ownerId: organization.id })
      const { q: query = '' } = request.query
      if (typeof query !== 'string')
        throw new Refusal('invalid', 'Send the filters once, in one q.')
      return reply.send(exportAuditLog(deps, organization, query))
    },
  )

  app.post<ByName & { Body: { token?: unknown } | undefined }>(
    '/api/organizations/:name/settings/tokens/revoke',
    {
      schema: {
        summary: 'Take a token its access to the organization',
        tags,
      },
    },
    (request, reply) => {
      const { principal } = request
      const organization = organizationOf(request)
      permit(deps, principal, { action: 'organization.manage', ownerId: organization.id })
      // Nobody is permitted anonymously; the compiler does not know.
      if (principal.kind === 'anonymous')
        throw new Refusal('unauthenticated', 'Invalid username or password.')
      const token = request.body?.token
      if (typeof token !== 'string')
        throw new Refusal('invalid', 'token must be the token to revoke.')
      revokeForOrganization(deps, {
        organization,
        user: principal.user,
        token,
      })
      return reply.send({ success: true })
    },
  )

  function organizationOf(request: FastifyRequest<ByName>): Organization {
    const organization = deps.state.organizations.find('name', nameKey(request.params.name))
    if (organization === undefined) throw new Refusal('not_found', 'Organization not found.')
    return organization
  }
}

/** Reports leaked tokens: open to all, and the same answer whatever was sent. */
export const credentialRoutes: FastifyPluginAsync<{ deps: ServerDeps }> = async (app, { deps }) => {
  registerHubErrors(app)
  app.post<{ Body: { credentials?: unknown } | undefined }>(
    '/api/credentials/revoke',
    {
      schema: {
        summary: 'Report leaked tokens',
        tags: ['credentials'],
      },
    },
    (request, reply) => {
      const credentials = request.body?.credentials
      if (!Array.isArray(credentials)) {
        throw new Refusal('invalid', 'credentials must be a list of raw tokens.')
      }
      revokeCredentials(
        deps,
        credentials.filter((credential) => typeof credential === 'string'),
      )
      return reply.code(202).send({})
    },
  )
}
