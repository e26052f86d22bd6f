import type { Deps } from '../deps.ts'
import type { Principal } from './principal.ts'
import type { Organization, ResourceGroup } from '../../store/entities/account-entities.ts'
import type { Role, SecurityRestriction } from '../../contract/words/account-words.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'

/** Organization of the user, as far as a token or session may see it. */
export interface VisibleOrganization {
  readonly organization: Organization
  /** Absent where only its name is visible. */
  readonly role?: Role
  /** Other members apply to granted organizations only. */
  readonly granted: boolean
  readonly resourceGroups: readonly { group: ResourceGroup; role: Role }[]
  readonly restrictions: readonly SecurityRestriction[]
}

/**
 * Checks whether a token was granted an organization: selected at consent, or bound by a token exchange. User access
 * tokens reach all organizations of the user, fine-grained ones those they name.
 */
export function grantsOrganization(token: AccessToken, organizationId: string): boolean {
  if (token.boundOrganizationId !== undefined) return token.boundOrganizationId === organizationId
  if (token.kind === 'oauth') return token.organizationIds.includes(organizationId)
  if (token.role !== 'fineGrained') return true
  return (token.fineGrained?.scoped ?? []).some(
    ({ entity: { _id: id, type } }) => type === 'org' && id === organizationId,
  )
}

/**
 * Returns the restrictions that keep a member with this token from the organization's resources: the organization's own,
 * and an administrator's block of a user access token. Restrictions of tokens do not apply to a session.
 */
export function restrictionsFor(
  organization: Organization,
  userId: string,
  token?: AccessToken,
): SecurityRestriction[] {
  const restrictions = organization.securityRestrictions
    .filter(({ userIds }) => userIds === undefined || userIds.includes(userId))
    .map(({ type }) => type)
    .filter((type) => token !== undefined || !type.startsWith('token-'))
  if (token?.revokedForOrganizationIds?.includes(organization.id) === true) {
    restrictions.push('token-revoked')
  }
  return [...new Set(restrictions)]
}

/**
 * The user's organizations that a principal may know of. An OAuth token without `profile` and
 * `read-memberships` knows those it was granted; one of a token exchange never knows another.
 */
export function visibleOrganizations(
  deps: Pick<Deps, 'state'>,
  principal: Exclude<Principal, { kind: 'anonymous' }>,
): VisibleOrganization[] {
  const token = principal.kind === 'token' ? principal.token : undefined
  const scopes = token?.kind === 'oauth' ? token.scopes : undefined
  const seesMemberships = scopes?.includes('read-memberships') ?? true
  const seesAll = seesMemberships || scopes?.includes('profile') === true
  const userId = principal.user.id

  return deps.state.organizations.group('member', userId).flatMap((organization) => {
    const granted = token === undefined || grantsOrganization(token, organization.id)
    const boundElsewhere = token?.boundOrganizationId !== undefined && !granted
    if (boundElsewhere || !(seesAll || granted)) return []
    const role = organization.members.find((member) => member.userId === userId)?.role
    return [
      {
        organization,
        granted,
        ...(role !== undefined && (granted || seesMemberships) ? { role } : {}),
        resourceGroups: granted ? groupsOf(organization, userId) : [],
        restrictions: granted ? restrictionsFor(organization, userId, token) : [],
      },
    ]
  })
}

function groupsOf(organization: Organization, userId: string) {
  return organization.resourceGroups.flatMap((group) => {
    const role = group.members.find((member) => member.userId === userId)?.role
    return role === undefined ? [] : [{ group, role }]
  })
}
