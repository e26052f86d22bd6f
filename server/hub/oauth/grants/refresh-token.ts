import type { TokenResponse } from '../../../contract/oauth.ts'
import type { App, RefreshToken } from '../../../store/entities/oauth-entities.ts'
import type { OAuthDeps } from '../oauth-deps.ts'
import { isoTime } from '../../../core/time.ts'
import { Refusal } from '../../../core/refusal.ts'
import { readScopeParameter } from '../scope.ts'
import { issueTokens, refreshTokenExpiry, revokeFamily } from '../tokens.ts'
import { grantedResources, type GrantRequest, requireParameter } from './grant-request.ts'

/**
 * Exchanges a refresh token for new tokens. It is valid once: the response has its successor, and a second use revokes
 * the whole authorization, because the token may have been stolen.
 * @throws {Refusal} `invalid_grant` when unknown, used, revoked, expired or of another client; `invalid_scope` for additional scopes
 * @see RFC 6749 §6, RFC 9700 §4.14.2
 */
export async function refreshTokenGrant(request: GrantRequest): Promise<TokenResponse> {
  const { deps, app, parameters, resources } = request
  const token = findRefreshToken(deps, app, requireParameter(parameters, 'refresh_token'))
  const scopes = narrow(token.scopes, parameters['scope'])
  const granted = grantedResources({ deps, resources }, token.resources)
  deps.state.refreshTokens.put({ ...token, usedAt: deps.clock.now() })
  return issueTokens(deps, {
    app,
    userId: token.userId,
    grant: 'refresh_token',
    scopes,
    refreshableScopes: token.scopes,
    resources: granted,
    organizationIds: token.organizationIds,
    familyId: token.familyId,
    authTime: token.authTime,
    refreshable: true,
  })
}

function findRefreshToken(deps: OAuthDeps, app: App, value: string): RefreshToken {
  const token = deps.state.refreshTokens.get(value)
  if (token === undefined) {
    throw new Refusal('invalid_grant', 'The refresh token is unknown.')
  }
  if (token.clientId !== app.id) {
    throw new Refusal('invalid_grant', 'The refresh token was issued to another client.')
  }
  if (token.usedAt !== undefined) {
    revokeFamily(deps, token.familyId, 'one of its refresh tokens was used a second time')
    throw new Refusal(
      'invalid_grant',
      'The refresh token was already used; all tokens of this authorization are revoked.',
      {
        detail:
          'refresh tokens rotate: store the refresh_token of each response, and do not refresh twice at the same time',
      },
    )
  }
  if (token.revokedAt !== undefined) {
    throw new Refusal('invalid_grant', 'The refresh token was revoked.')
  }
  const expiresAt = refreshTokenExpiry(deps.settings, token)
  if (expiresAt <= deps.clock.now()) {
    throw new Refusal('invalid_grant', 'The refresh token has expired.', {
      detail: `it was not used until ${isoTime(expiresAt)} (lifetimes.refreshToken); sign the user in again`,
    })
  }
  return token
}

/**
 * Checks that a refresh requests only granted scopes (RFC 6749 §6). Unknown names are left out, as in the first request,
 * because clients repeat that.
 */
function narrow(granted: readonly string[], requested: string | undefined): readonly string[] {
  const { known = granted } = readScopeParameter(requested)
  const more = known.filter((scope) => !granted.includes(scope))
  if (more.length > 0) {
    throw new Refusal(
      'invalid_scope',
      `A refresh can only narrow the scope; not granted before: ${more.join(', ')}.`,
      { detail: `granted: ${granted.join(' ')}` },
    )
  }
  return known
}
