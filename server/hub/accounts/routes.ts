import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { changeNetworkSecurity, networkSecurityOf } from './network-settings.ts'
import { changeMemberRole } from './members.ts'
import {
  addGroupUsers,
  changeGroupUser,
  configureGroup,
  createResourceGroup,
  deleteGroup,
  describeGroup,
  requireGroup,
  requirePaidPlan,
  setRepoGroup,
  updateGroup,
  visibleGroups,
} from './resource-groups.ts'
import type { RepoGroupBody } from '../../contract/hub-organizations.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { permit } from '../access/access.ts'
import { isPrivate } from '../access/rights.ts'
import { groupOfRepo } from '../repos/repo-info.ts'
import { findNamedOrganization } from '../oauth/named-organization.ts'
import { requireUser } from '../../store/lookups.ts'
import { hub } from '../http/hub-route.ts'
import type { Static } from 'typebox'
import type { HubServices } from '../services.ts'
import { requestAuditLog } from '../oauth/audit-log.ts'
import { reportCredentials, revokeForOrganization } from '../oauth/credential-revocation.ts'
import { contentDisposition } from '../../web/content-disposition.ts'
import { registerHubErrors } from '../http/hub-errors.ts'
import { registerPrincipal, signedIn } from '../http/principal-of-request.ts'
import { registerRepoOfRoute } from '../http/repo-of-route.ts'

/** Administration of an organization: tokens of members and the audit log. */
export const hubOrganizationRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  hub(
    app,
    'GET /api/organizations/:name/audit-log/export',
    async ({ principal, params: { name }, query, root }, reply) => {
      const entries = requestAuditLog(deps, { principal, name, query: query['q'] ?? '', root })
      reply.header('content-disposition', contentDisposition(`${name}-audit-log.json`, true))
      return entries
    },
  )

  hub(
    app,
    'POST /api/organizations/:name/settings/tokens/revoke',
    async ({ principal, params, body }) => {
      revokeForOrganization(deps, { principal, name: params.name, named: { body } })
      return { success: true }
    },
  )

  hub(
    app,
    'POST /api/organizations/:name/settings/tokens/:tokenId/revoke',
    ({ principal, params: { name, tokenId } }) => {
      revokeForOrganization(deps, { principal, name, named: { tokenId } })
      return { success: true }
    },
  )
}

/** Roles of members, and resource groups. */
export const organizationGroupRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  hub(app, 'PUT /api/organizations/:name/members/:username/role', (request) => {
    const user = () => requireUser(deps, request.params.username)
    changeMemberRole(deps, { ...managed(request), user: user(), ...request.body })
    return { success: true }
  })

  hub(app, 'GET /api/organizations/:name/settings/network-security', ({ principal, params }) => {
    const organization = findNamedOrganization(deps, params.name)
    permit(deps, principal, { action: 'network.read', ownerId: organization.id })
    return networkSecurityOf(organization)
  })

  hub(app, 'PATCH /api/organizations/:name/settings/network-security', (request) => {
    const organization = findNamedOrganization(deps, request.params.name)
    permit(deps, request.principal, { action: 'network.write', ownerId: organization.id })
    const actorId = signedIn(request).user.id
    return changeNetworkSecurity(deps, { organization, actorId, changes: request.body })
  })

  hub(app, 'GET /api/organizations/:name/resource-groups', (request) => {
    const organization = findNamedOrganization(deps, request.params.name)
    permit(deps, request.principal, { action: 'groups.read', ownerId: organization.id })
    requirePaidPlan(organization)
    return visibleGroups(organization, signedIn(request).user.id).map((group) =>
      describeGroup(deps, organization, group),
    )
  })

  hub(app, 'POST /api/organizations/:name/resource-groups', (request) => {
    const change = managed(request)
    const group = createResourceGroup(deps, { ...change, ...omitUndefined(request.body) })
    return describeGroup(deps, change.organization, group)
  })

  hub(app, 'POST /api/organizations/:name/resource-groups/:id/users', (request) => {
    const change = managed(request)
    const { id: groupId } = request.params
    const group = addGroupUsers(deps, { ...change, groupId, users: request.body.users })
    return describeGroup(deps, change.organization, group)
  })

  hub(app, 'GET /api/organizations/:name/resource-groups/:id', (request) => {
    const organization = findNamedOrganization(deps, request.params.name)
    permit(deps, request.principal, { action: 'groups.read', ownerId: organization.id })
    requirePaidPlan(organization)
    const group = requireGroup(organization, request.params.id)
    // A group of others is as unknown as one that does not exist.
    const isVisible = visibleGroups(organization, signedIn(request).user.id).includes(group)
    return describeGroup(deps, organization, isVisible ? group : requireGroup(undefined, group.id))
  })

  hub(app, 'PATCH /api/organizations/:name/resource-groups/:id', (request) => {
    const change = { ...managed(request), groupId: request.params.id }
    const group = updateGroup(deps, { ...change, changes: request.body })
    return describeGroup(deps, change.organization, group)
  })

  hub(app, 'DELETE /api/organizations/:name/resource-groups/:id', (request) => {
    deleteGroup(deps, { ...managed(request), groupId: request.params.id })
    return { success: true }
  })

  hub(app, 'POST /api/organizations/:name/resource-groups/:id/settings', (request) => {
    const change = { ...managed(request), groupId: request.params.id }
    const group = configureGroup(deps, { ...change, ...request.body })
    return describeGroup(deps, change.organization, group)
  })

  hub(app, 'PATCH /api/organizations/:name/resource-groups/:id/users/:username', (request) => {
    const { id: groupId, username } = request.params
    const change = { ...managed(request), groupId, username }
    const group = changeGroupUser(deps, { ...change, role: request.body.role })
    return describeGroup(deps, change.organization, group)
  })

  hub(app, 'DELETE /api/organizations/:name/resource-groups/:id/users/:username', (request) => {
    const { id: groupId, username } = request.params
    const change = { ...managed(request), groupId, username }
    return describeGroup(deps, change.organization, changeGroupUser(deps, change))
  })

  const readGroup = ({ repo }: FastifyRequest) => {
    const group = groupOfRepo(deps, repo)
    if (group !== undefined) return group
    throw new Refusal('not_found', `${repo.name} is in no resource group`)
  }
  hub(app, 'GET /api/:repo/resource-group', readGroup)
  hub(app, 'GET /api/buckets/:namespace/:name/resource-group', readGroup)

  const moveToGroup = (request: FastifyRequest<{ Body: Static<typeof RepoGroupBody> }>) => {
    const { repo, principal, body } = request
    permit(deps, principal, { action: 'organization.manage', ownerId: repo.ownerId })
    const { id: actorId, username: addedBy } = signedIn(request).user
    const moved = setRepoGroup(deps, { repo, groupId: body.resourceGroupId, actorId })
    const { type, name } = moved
    return { type, name, private: isPrivate(moved), addedBy }
  }
  hub(app, 'POST /api/:repo/resource-group', moveToGroup)
  hub(app, 'POST /api/buckets/:namespace/:name/resource-group', moveToGroup)

  /** @throws {Refusal} unless the caller manages the organization of the URL */
  function managed(request: FastifyRequest) {
    const { name } = request.params as { name: string }
    const organization = findNamedOrganization(deps, name)
    const ownerId = organization.id
    permit(deps, request.principal, { action: 'organization.manage', ownerId })
    return { organization, actorId: signedIn(request).user.id }
  }
}

/** Reports of leaked tokens: open to all, with the same response for any token. */
export const credentialRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  hub(app, 'POST /api/credentials/revoke', async (request, reply) => {
    reportCredentials(deps, request.body)
    return reply.code(202).send({})
  })
}
