import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { AccessAction } from '../../../hub/access/access-rules.ts'
import { changeMemberRole } from '../../../accounts/members.ts'
import {
  addGroupUsers,
  createResourceGroup,
  describeGroup,
  requirePaidPlan,
  setRepoGroup,
  visibleGroups,
} from '../../../accounts/resource-groups.ts'
import {
  GroupUsersBody,
  MemberRoleBody,
  NewResourceGroupBody,
  RepoGroupBody,
} from '../../../contract/hub-organizations.ts'
import { omitUndefined } from '../../../core/omit-undefined.ts'
import { Refusal } from '../../../core/refusal.ts'
import { permit } from '../../../hub/access/access.ts'
import { isPrivate } from '../../../hub/access/rights.ts'
import { groupOfRepo } from '../../../hub/repos/repo-info.ts'
import { findNamedOrganization } from '../../../oauth/named-organization.ts'
import { requireUser } from '../../../state/lookups.ts'
import type { HubServices } from '../../hub-services.ts'
import { requestAuditLog } from '../../../oauth/audit-log.ts'
import { reportCredentials, revokeForOrganization } from '../../../oauth/credential-revocation.ts'
import { contentDisposition } from '../../content-disposition.ts'
import { registerHubErrors } from '../../plugins/hub-errors.ts'
import { registerPrincipal, signedIn } from '../../plugins/principal.ts'
import {
  bucketApiRoute,
  bucketParams,
  registerRepoOfRoute,
  repoApiRoute,
  repoParams,
} from '../../plugins/repo-of-route.ts'

const tags = ['organizations']
const ofOrganization = Type.Object({ name: Type.String({ description: 'Organization' }) })
const ofMember = Type.Object({ ...ofOrganization.properties, username: Type.String() })
const ofGroup = Type.Object({
  ...ofOrganization.properties,
  id: Type.String({ description: '24 hex digits' }),
})

interface ByName {
  Params: { name: string }
}

/** Repos and buckets, which can be in a resource group. */
const groupedRoutes = [
  { route: repoApiRoute, params: repoParams, type: {} },
  { route: bucketApiRoute, params: bucketParams, type: { repoType: 'bucket' as const } },
]

/** Administration of an organization: tokens of members and the audit log. */
export const hubOrganizationRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)

  app.get<ByName & { Querystring: { q?: unknown } }>(
    '/api/organizations/:name/audit-log/export',
    {
      config: { actions: ['audit-log.read'] },
      schema: {
        summary: 'Export the audit log',
        tags,
      },
    },
    async ({ principal, params: { name }, query, root }, reply) => {
      const entries = requestAuditLog(deps, { principal, name, query: query.q ?? '', root })
      reply.header('content-disposition', contentDisposition(`${name}-audit-log.json`, true))
      return entries
    },
  )

  app.post<ByName>(
    '/api/organizations/:name/settings/tokens/revoke',
    {
      config: { actions: ['organization.manage'] },
      schema: {
        summary: 'Revoke the access of a token to the organization',
        tags,
      },
    },
    async ({ principal, params, body }) => {
      revokeForOrganization(deps, { principal, name: params.name, body })
      return { success: true }
    },
  )
}

/** Roles of members, and resource groups. */
export const organizationGroupRoutes: FastifyPluginAsyncTypebox<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  registerPrincipal(app, deps)
  registerRepoOfRoute(app, deps)
  const forUsersTo = (action: AccessAction) => ({
    config: { needsUser: true as const, actions: [action] as const },
  })

  app.put(
    '/api/organizations/:name/members/:username/role',
    {
      ...forUsersTo('organization.manage'),
      schema: {
        summary: 'Change the role of a member',
        tags,
        params: ofMember,
        body: MemberRoleBody,
      },
    },
    (request) => {
      const user = () => requireUser(deps, request.params.username)
      changeMemberRole(deps, { ...managed(request), user: user(), ...request.body })
      return { success: true }
    },
  )

  app.get(
    '/api/organizations/:name/resource-groups',
    {
      ...forUsersTo('groups.read'),
      schema: {
        summary: 'List the resource groups that you may see',
        tags,
        params: ofOrganization,
      },
    },
    (request) => {
      const organization = findNamedOrganization(deps, request.params.name)
      permit(deps, request.principal, { action: 'groups.read', ownerId: organization.id })
      requirePaidPlan(organization)
      return visibleGroups(organization, signedIn(request).user.id).map((group) =>
        describeGroup(deps, organization, group),
      )
    },
  )

  app.post(
    '/api/organizations/:name/resource-groups',
    {
      ...forUsersTo('organization.manage'),
      schema: {
        summary: 'Create a resource group',
        tags,
        params: ofOrganization,
        body: NewResourceGroupBody,
      },
    },
    (request) => {
      const change = managed(request)
      const group = createResourceGroup(deps, { ...change, ...omitUndefined(request.body) })
      return describeGroup(deps, change.organization, group)
    },
  )

  app.post(
    '/api/organizations/:name/resource-groups/:id/users',
    {
      ...forUsersTo('organization.manage'),
      schema: {
        summary: 'Add members to a resource group',
        tags,
        params: ofGroup,
        body: GroupUsersBody,
      },
    },
    (request) => {
      const change = managed(request)
      const { id: groupId } = request.params
      const group = addGroupUsers(deps, { ...change, groupId, users: request.body.users })
      return describeGroup(deps, change.organization, group)
    },
  )

  for (const { route, params, type } of groupedRoutes) {
    app.get(
      `${route}/resource-group`,
      {
        config: { ...type, repoAction: 'repo.read' },
        schema: { summary: 'Get the resource group of a repo', tags, params },
      },
      ({ repo }) => {
        const group = groupOfRepo(deps, repo)
        if (group !== undefined) return group
        throw new Refusal('not_found', `${repo.name} is in no resource group`)
      },
    )

    app.post(
      `${route}/resource-group`,
      {
        config: { ...type, repoAction: 'repo.settings', actions: ['organization.manage'] },
        schema: {
          summary: 'Move a repo to a resource group',
          tags,
          params,
          body: RepoGroupBody,
        },
      },
      (request) => {
        const { repo, principal, body } = request
        permit(deps, principal, { action: 'organization.manage', ownerId: repo.ownerId })
        const actorId = signedIn(request).user.id
        const moved = setRepoGroup(deps, { repo, groupId: body.resourceGroupId, actorId })
        const { id, name } = moved
        const resourceGroup = groupOfRepo(deps, moved)
        return { _id: id, id: name, private: isPrivate(moved), ...omitUndefined({ resourceGroup }) }
      },
    )
  }

  /** @throws {Refusal} unless the caller manages the organization of the URL */
  function managed(request: FastifyRequest) {
    const { name } = request.params as { name: string }
    const organization = findNamedOrganization(deps, name)
    const ownerId = organization.id
    permit(deps, request.principal, { action: 'organization.manage', ownerId })
    return { organization, actorId: signedIn(request).user.id }
  }
}

/** Reports leaked tokens: open to all, and the same answer whatever was sent. */
export const credentialRoutes: FastifyPluginAsync<{ deps: HubServices }> = async (
  app,
  { deps },
) => {
  registerHubErrors(app)
  app.post(
    '/api/credentials/revoke',
    {
      config: { actions: ['hub.facts'] },
      schema: {
        summary: 'Report leaked tokens',
        tags: ['credentials'],
      },
    },
    async (request, reply) => {
      reportCredentials(deps, request.body)
      return reply.code(202).send({})
    },
  )
}
