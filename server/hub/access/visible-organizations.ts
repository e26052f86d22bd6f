import type { Deps } from '../../events/deps.ts'
import type { Principal } from './principal.ts'
import type { Organization, ResourceGroup } from '../../state/entities/accounts.ts'
import type { Role, SecurityRestriction } from '../../contract/words/accounts.ts'
import type { AccessToken } from '../../state/entities/oauth.ts'

/** One of the user's organizations, as far as a token or session may look into it. */
export interface VisibleOrganization {
  readonly organization: Organization
  /** Absent where only its name may be known. */
  readonly role?: Role
  /** The rest holds for granted organizations alone. */
  readonly granted: boolean
  readonly resourceGroups: readonly { group: ResourceGroup; role: Role }[]
  readonly restrictions: readonly SecurityRestriction[]
}

/**
 * Whether a token was granted an organization: ticked at consent, or the one a token exchange is
 * bound to. User access tokens reach all of the user's, fine-grained ones those they name.
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
 * What bars this user, with this token, from the organization's resources although they are a
 * member: the organization's own restrictions, and a user access token that its administrators
 * cut off. Restrictions of tokens do not concern a session.
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
