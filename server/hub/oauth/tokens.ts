import { omitUndefined } from '../../core/omit-undefined.ts'
import { wholeSeconds } from '../../core/duration.ts'
import type { TokenResponse } from '../../contract/oauth.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import type { Settings } from '../../core/settings.ts'
import type { AccessToken, App, RefreshToken } from '../../store/entities/oauth-entities.ts'
import type { GrantName } from '../../contract/words/oauth-words.ts'
import { Refusal } from '../../core/refusal.ts'
import { revokeAccessToken, type RevokeDeps } from '../access/revoke-token.ts'
import { signIdToken } from './id-token.ts'
import { composeAccessToken } from './token-text.ts'

export interface TokenGrant {
  app: App
  userId: string
  grant: GrantName
  scopes: readonly string[]
  /** Scopes that a refresh may request later; default: `scopes`. */
  refreshableScopes?: readonly string[]
  /** Target servers of the token (RFC 8707). */
  resources?: readonly string[] | undefined
  organizationIds: readonly string[]
  boundOrganizationId?: string
  /** Id of the authorization whose tokens are revoked together; absent = none. */
  familyId?: string
  /** Time of the sign-in, milliseconds; absent = without a sign-in, so the ID token has no `auth_time`. */
  authTime?: number
  nonce?: string
  /** Seconds; default: the app's token duration, else the setting. */
  expiresInSeconds?: number
  refreshable: boolean
}

/**
 * Issues an access token and, if granted, a refresh token and an ID token. The tokens are stored before the ID token is
 * signed, so nothing is issued twice.
 * @returns token response; `expires_in` in seconds
 * @throws {Refusal} `invalid_grant` when the user was deleted since the grant was made
 * @see RFC 6749 §5.1
 */
export async function issueTokens(deps: OAuthDeps, grant: TokenGrant): Promise<TokenResponse> {
  const { clock, settings, state, bus } = deps
  const { app } = grant
  const resources =
    grant.resources === undefined || grant.resources.length === 0 ? undefined : [...grant.resources]
  if (!state.users.has(grant.userId)) {
    throw new Refusal('invalid_grant', 'The user of this grant no longer exists.')
  }
  const now = clock.now()
  const expiresIn =
    grant.expiresInSeconds ??
    app.tokenDurationSeconds ??
    wholeSeconds(settings.lifetimes.accessTokenMs)

  const ids = deps.ids.of('token', app.id, grant.userId)
  const id = ids.objectId()
  const facts = { id, userId: grant.userId, clientId: app.id, scopes: grant.scopes }
  const token: AccessToken = state.tokens.put({
    id,
    token: composeAccessToken(
      { ids, clock, baseUrl: settings.baseUrl },
      { ...facts, expiresInSeconds: expiresIn, ...omitUndefined({ familyId: grant.familyId }) },
    ),
    kind: 'oauth',
    userId: grant.userId,
    clientId: app.id,
    grant: grant.grant,
    scopes: [...grant.scopes],
    organizationIds: [...grant.organizationIds],
    createdAt: now,
    expiresAt: now + expiresIn * 1000,
    ...omitUndefined({
      boundOrganizationId: grant.boundOrganizationId,
      familyId: grant.familyId,
      resources,
    }),
  })
  const refreshToken =
    grant.refreshable && grant.familyId !== undefined
      ? state.refreshTokens.put({
          id: `hf_oauth_sandbox_refresh_${ids.alphanumeric(32)}`,
          familyId: grant.familyId,
          clientId: app.id,
          userId: grant.userId,
          scopes: [...(grant.refreshableScopes ?? grant.scopes)],
          organizationIds: [...grant.organizationIds],
          authTime: grant.authTime ?? now,
          createdAt: now,
          ...omitUndefined({ resources }),
        })
      : undefined
  bus.emit('token.issued', {
    tokenId: token.id,
    userId: token.userId,
    clientId: app.id,
    grant: grant.grant,
    scopes: token.scopes,
    ...omitUndefined({ expiresAt: token.expiresAt }),
  })

  const idToken = grant.scopes.includes('openid')
    ? await signIdToken(deps, {
        clientId: app.id,
        userId: grant.userId,
        scopes: grant.scopes,
        accessToken: token.token,
        ...omitUndefined({ authTime: grant.authTime, nonce: grant.nonce }),
      })
    : undefined
  return {
    access_token: token.token,
    token_type: 'bearer',
    expires_in: expiresIn,
    scope: grant.scopes.join(' '),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken.id }),
    ...omitUndefined({ id_token: idToken }),
  }
}

/** Returns when an unused refresh token ends, in milliseconds since 1970. */
export function refreshTokenExpiry(
  { lifetimes }: Pick<Settings, 'lifetimes'>,
  { createdAt }: Pick<RefreshToken, 'createdAt'>,
): number {
  return createdAt + lifetimes.refreshTokenMs
}

/** Revokes every access and refresh token of one authorization (RFC 6749 §4.1.2, RFC 9700 §4.14.2). */
export function revokeFamily(deps: RevokeDeps, familyId: string, because: string): void {
  for (const token of deps.state.tokens.group('family', familyId)) {
    revokeAccessToken(deps, token, because)
  }
  for (const token of deps.state.refreshTokens.group('family', familyId)) {
    if (token.revokedAt === undefined) {
      deps.state.refreshTokens.put({ ...token, revokedAt: deps.clock.now() })
    }
  }
}
