import { permit } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { findNamedOrganization } from './named-organization.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'
import type { Deps } from '../deps.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import { recordAudit } from './audit-log.ts'
import { revokeAccessToken } from '../access/revoke-token.ts'
import { revokeFamily } from './tokens.ts'

/**
 * Revokes leaked tokens, without revealing which of them existed.
 * @param body `credentials` are raw access or refresh tokens; unknown ones are ignored
 * @throws {Refusal} `invalid` when `credentials` is not a list
 */
export function reportCredentials(deps: Deps, body: unknown): void {
  revokeCredentials(deps, readCredentials(body))
}

function readCredentials(body: unknown): string[] {
  const { credentials } = (body ?? {}) as { credentials?: unknown }
  if (!Array.isArray(credentials)) {
    throw new Refusal('invalid', 'credentials must be a list of raw tokens.')
  }
  return credentials.filter((credential) => typeof credential === 'string')
}

function revokeCredentials(deps: Deps, credentials: readonly string[]): void {
  for (const credential of credentials) {
    const token = deps.state.tokens.find('token', credential)
    if (token !== undefined) revokeAccessToken(deps, token, 'it was reported as leaked')
    const refreshToken = deps.state.refreshTokens.get(credential)
    if (refreshToken !== undefined) {
      revokeFamily(deps, refreshToken.familyId, 'its refresh token was reported as leaked')
    }
  }
}

interface RevocationRequest {
  principal: Principal
  /** Name of the organization. */
  name: string
  /** The token is named by its id, or by its text in the body. */
  named: { tokenId: string } | { body: unknown }
}

/**
 * Revokes the access of a user access token to one organization; it stays valid elsewhere.
 * @throws {Refusal} as {@link permit} unless the caller manages the organization; `plan_required` without the
 *   Enterprise plan, `not_found` for an unknown organization or token, `invalid` for the caller's own
 */
export function revokeForOrganization(deps: Deps, request: RevocationRequest): void {
  const organization = findNamedOrganization(deps, request.name)
  const user = administrator(deps, request.principal, organization)
  const { tokens } = deps.state
  const { named } = request
  const found =
    'tokenId' in named
      ? tokens.get(named.tokenId)
      : tokens.find('token', readCredential(named.body))
  if (organization.plan !== 'enterprise' && organization.plan !== 'plus') {
    throw new Refusal('plan_required', 'Token revocation requires the Enterprise plan.')
  }
  const token = requireMembersToken(organization, found)
  if (token.userId === user.id) {
    throw new Refusal('invalid', 'You cannot revoke your own token here.')
  }
  const revoked = new Set(token.revokedForOrganizationIds).add(organization.id)
  deps.state.tokens.put({ ...token, revokedForOrganizationIds: [...revoked] })
  recordAudit(deps, {
    organizationId: organization.id,
    type: 'org.token_approval.authorization_request.revoked',
    message: `Revoked a token of ${deps.state.users.get(token.userId)?.username ?? 'a member'}`,
    authorId: user.id,
    tokenId: token.id,
  })
}

function administrator(deps: Deps, principal: Principal, organization: Organization): User {
  permit(deps, principal, { action: 'organization.manage', ownerId: organization.id })
  if (principal.kind !== 'anonymous') return principal.user
  // `permit` refuses anonymous callers; this is for the compiler.
  throw new Refusal('unauthenticated', 'Invalid username or password.')
}

function readCredential(body: unknown): string {
  const { token } = (body ?? {}) as { token?: unknown }
  if (typeof token === 'string') return token
  throw new Refusal('invalid', 'token must be the token to revoke.')
}

function requireMembersToken(
  organization: Organization,
  token: AccessToken | undefined,
): AccessToken {
  const isMembers =
    token !== undefined && organization.members.some(({ userId }) => userId === token.userId)
  if (token !== undefined && isMembers) return token
  throw new Refusal('not_found', `No member of ${organization.name} has this token.`)
}
