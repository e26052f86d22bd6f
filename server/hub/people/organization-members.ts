import type { MemberResponse, MembersQuery } from '../../contract/hub-people.ts'
import type {
  Organization,
  OrganizationMember,
  User,
} from '../../store/entities/account-entities.ts'
import { nameKey } from '../../store/state.ts'
import { decide, permit, type PermitDeps } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { describePerson } from './person-view.ts'

/** Member of an organization with the account. */
export interface Member extends Pick<OrganizationMember, 'role'> {
  user: User
}

/**
 * Lists the members of an organization in the order in which they joined.
 * @throws {Refusal} as {@link permit} for a search by e-mail address unless the caller manages the organization
 */
export function listMembers(
  deps: PermitDeps,
  principal: Principal,
  organization: Organization,
  { search = '', email }: Pick<MembersQuery, 'search' | 'email'>,
): Member[] {
  if (email !== undefined) {
    permit(deps, principal, { action: 'organization.manage', ownerId: organization.id })
  }
  const sought = search.toLowerCase()
  return organization.members.flatMap(({ userId, role }) => {
    const user = deps.state.users.get(userId)
    if (user === undefined) return []
    const isFound =
      `${user.username}\n${user.fullname}`.toLowerCase().includes(sought) &&
      (email === undefined || nameKey(user.email) === nameKey(email))
    return isFound ? [{ user, role }] : []
  })
}

/** Describes a member; only members learn the role. */
export function describeMember(
  deps: PermitDeps,
  principal: Principal,
  { id }: Organization,
): (member: Member) => MemberResponse {
  const { allowed } = decide(deps, principal, { action: 'roles.read', ownerId: id })
  return ({ user, role }) => ({ ...describePerson(user), ...(allowed && { role }) })
}
