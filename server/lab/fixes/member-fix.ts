import { updateOrganization } from '../../hub/accounts/organizations.ts'
import { tokenExchangeGrant } from '../../contract/words/oauth-words.ts'
import type { Role } from '../../contract/words/account-words.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { nameKey } from '../../store/state.ts'
import type { FixDeps, Offer } from './offer.ts'
import type { RefusedRequest } from './refused-request.ts'

/** The weakest role with read access, and the default in fixtures. */
const role: Role = 'read'

/** Limit of fixes offered for one app: an app usually names few organizations, and hundreds of buttons help no user. */
const mostOrganizations = 5

/**
 * Offers to add the user to an organization: one of those that the app is limited to, or the one whose members the app
 * exchanges tokens for (RFC 8693).
 */
export function offerMember(deps: FixDeps, refused: RefusedRequest, app: App): Offer[] {
  const user = findUser(deps, refused)
  if (user === undefined || !user.emailVerified) return []
  const organizations = wantedIds(refused, app).flatMap(
    (id) => deps.state.organizations.get(id) ?? [],
  )
  if (organizations.some((organization) => isMember(organization, user))) return []
  return organizations
    .slice(0, mostOrganizations)
    .map((organization) => offerOne(deps, organization, user, app))
}

function offerOne(deps: FixDeps, organization: Organization, user: User, app: App): Offer {
  const { username } = user
  const members = [
    ...organization.members.flatMap(({ userId, role: present }) => {
      const member = deps.state.users.get(userId)
      return member === undefined ? [] : [{ user: member.username, role: present }]
    }),
    { user: username, role },
  ]
  return {
    fix: {
      kind: 'member',
      title: `Add ${username} to ${organization.name}`,
      change: `${username} becomes a member of ${organization.name} with the role ${role}, and so may use ${app.name} and see what members of ${organization.name} see.`,
      fixtures: {
        place: `organizations: ${organization.name}: members`,
        lines: JSON.stringify({ user: username, role }, null, 2),
      },
      onTheHub: `An administrator of ${organization.name} invites ${username} in the settings of the organization, under Members.`,
    },
    make: () => updateOrganization(deps, organization, { members }),
  }
}

function isExchange({ at, error, parameters }: RefusedRequest): boolean {
  return (
    at === 'token' &&
    error === 'invalid_grant' &&
    parameters.get('grant_type') === tokenExchangeGrant
  )
}

function wantedIds(refused: RefusedRequest, app: App): readonly string[] {
  if (isExchange(refused)) return app.organizationId === undefined ? [] : [app.organizationId]
  const isBarred =
    refused.error === 'access_denied' && (refused.at === 'authorize' || refused.at === 'answer')
  return isBarred ? (app.authorizedOrganizationIds ?? []) : []
}

function findUser({ state }: FixDeps, refused: RefusedRequest): User | undefined {
  if (isExchange(refused)) {
    return state.users.find('email', nameKey(refused.parameters.get('subject_token') ?? ''))
  }
  return refused.userId === undefined ? undefined : state.users.get(refused.userId)
}

function isMember({ members }: Organization, { id }: User): boolean {
  return members.some(({ userId }) => userId === id)
}
