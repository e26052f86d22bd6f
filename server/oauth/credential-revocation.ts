import type { Deps } from '../events/deps.ts'
import { Refusal } from '../core/refusal.ts'
import type { Organization, User } from '../state/entities/accounts.ts'
import { recordAudit } from './audit-log.ts'
import { revokeAccessToken, revokeFamily } from './tokens.ts'

/**
 * Revokes leaked tokens for whoever found them. It tells nothing about which of them existed.
 * @param credentials raw access or refresh tokens; unknown ones are passed over
 */
export function revokeCredentials(deps: Deps, credentials: readonly string[]): void {
  for (const credential of credentials) {
    const token = deps.state.tokens.find('token', credential)
    if (token !== undefined) revokeAccessToken(deps, token, 'it was reported as leaked')
    const refreshToken = deps.state.refreshTokens.get(credential)
    if (refreshToken !== undefined) {
      revokeFamily(deps, refreshToken.familyId, 'its refresh token was reported as leaked')
    }
  }
}

/**
 * Cuts a user access token off from one organization; elsewhere it goes on working.
 * @param request the user is an administrator of the organization
 * @throws {Refusal} `plan_required` without the Enterprise plan, `not_found` for an unknown token, `invalid` for one's own
 */
export function revokeForOrganization(
  deps: Deps,
  request: { organization: Organization; user: User; token: string },
): void {
  const { organization, user } = request
  if (organization.plan !== 'enterprise' && organization.plan !== 'plus') {
    throw new Refusal('plan_required', 'Token revocation requires the Enterprise plan.')
  }
  const token = deps.state.tokens.find('token', request.token)
  const isMembers =
    token !== undefined && organization.members.some(({ userId }) => userId === token.userId)
  if (token === undefined || !isMembers) {
    throw new Refusal('not_found', `No member of ${organization.name} has this token.`)
  }
  if (token.userId === user.id)
    throw new Refusal('invalid', 'You cannot revoke your own token here.')
  const revoked = new Set(token.revokedForOrganizationIds)
  deps.state.tokens.put({
    ...token,
    revokedForOrganizationIds: [...revoked.add(organization.id)],
  })
  recordAudit(deps, {
    organizationId: organization.id,
    type: 'org.token_approval.authorization_request.revoked',
    message: `Revoked a token of ${deps.state.users.get(token.userId)?.username ?? 'a member'}`,
    authorId: user.id,
    tokenId: token.id,
  })
}
