import type { MemberRoleBody } from '../../contract/hub-organizations.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../deps.ts'
import { recordAudit } from '../oauth/audit-log.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import { requireGroup, requirePaidPlan, withRole } from './resource-groups.ts'

/**
 * Changes the role of a member, also in resource groups, and records it in the audit log.
 * @throws {Refusal} `plan_required` on the free plan, `not_found` for an unknown group or a user outside the organization, `invalid`
 *   for the last administrator
 */
export function changeMemberRole(
  deps: Deps,
  input: { organization: Organization; user: User; actorId: string } & MemberRoleBody,
): Organization {
  const { organization, user, actorId, role, resourceGroups = [] } = input
  requirePaidPlan(organization)
  const before = organization.members.find(({ userId }) => userId === user.id)
  if (before === undefined) {
    throw new Refusal('not_found', `${user.username} is not a member of ${organization.name}`)
  }
  for (const { id } of resourceGroups) requireGroup(organization, id)
  const members = withRole(organization.members, user.id, role)
  if (!members.some((member) => member.role === 'admin')) {
    throw new Refusal('invalid', 'An organization needs at least one administrator')
  }
  const changed = deps.state.organizations.put({
    ...organization,
    members,
    resourceGroups: organization.resourceGroups.map((group) => {
      const asked = resourceGroups.find(({ id }) => id === group.id)
      return asked === undefined
        ? group
        : { ...group, members: withRole(group.members, user.id, asked.role) }
    }),
  })
  recordAudit(deps, {
    organizationId: organization.id,
    type: 'org.change_role',
    message: `Changed the role of ${user.username} from ${before.role} to ${role}`,
    authorId: actorId,
    data: { user: user.username, from: before.role, to: role },
  })
  deps.bus.emit('account.changed', { kind: 'organization', id: organization.id })
  return changed
}
