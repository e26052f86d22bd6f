import { isoTime } from '../../core/time.ts'
import type { AuditItem, OrganizationItem, UserItem } from '../../contract/control-accounts.ts'
import { avatarUrl, billingMode } from '../access/account-facts.ts'
import type {
  Organization,
  OrganizationMember,
  User,
} from '../../store/entities/account-entities.ts'
import type { AuditRow } from '../../store/entities/oauth-entities.ts'
import { accountName, present, userRef, type ViewDeps } from '../access/refs.ts'

export function describeUser(deps: ViewDeps, user: User): UserItem {
  return {
    id: user.id,
    username: user.username,
    fullname: user.fullname,
    email: user.email,
    emailVerified: user.emailVerified,
    isPro: user.isPro,
    canPay: user.canPay,
    billingMode: billingMode(user),
    avatarUrl: avatarUrl(deps.settings.baseUrl, user.username, user.avatarUrl),
    ...present(user, 'website'),
    hasPassword: user.password !== undefined,
    organizations: deps.state.organizations.group('member', user.id).flatMap((organization) => {
      const member = organization.members.find(({ userId }) => userId === user.id)
      return member === undefined ? [] : [{ name: organization.name, role: member.role }]
    }),
    createdAt: isoTime(user.createdAt),
  }
}

export function describeOrganization(deps: ViewDeps, organization: Organization): OrganizationItem {
  const members = (list: readonly OrganizationMember[]) =>
    list.map(({ userId, role }) => ({ user: userRef(deps, userId), role }))
  return {
    id: organization.id,
    name: organization.name,
    fullname: organization.fullname,
    plan: organization.plan,
    canPay: organization.canPay,
    billingMode: billingMode(organization),
    defaultVisibility: organization.defaultVisibility ?? 'public',
    avatarUrl: avatarUrl(deps.settings.baseUrl, organization.name, organization.avatarUrl),
    members: members(organization.members),
    resourceGroups: organization.resourceGroups.map((group) => ({
      id: group.id,
      name: group.name,
      members: members(group.members),
    })),
    securityRestrictions: organization.securityRestrictions.map(({ type, userIds }) => ({
      type,
      ...(userIds === undefined ? {} : { users: userIds.map((id) => accountName(deps, id)) }),
    })),
    createdAt: isoTime(organization.createdAt),
  }
}

export function describeAuditRow(deps: ViewDeps, row: AuditRow): AuditItem {
  return {
    id: row.id,
    organization: accountName(deps, row.organizationId),
    type: row.type,
    message: row.message,
    createdAt: isoTime(row.createdAt),
    ...(row.authorId === undefined ? {} : { author: userRef(deps, row.authorId) }),
    ...present(row, 'data', 'ip', 'userAgent', 'tokenId', 'clientId'),
  }
}
