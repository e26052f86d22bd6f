import { dateOf } from '../../core/time.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { wholeSeconds } from '../../core/duration.ts'
import { createHash } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import type { OAuthDeps } from './oauth-deps.ts'
import { buildIdentityClaims } from './userinfo.ts'

export interface IdTokenRequest {
  clientId: string
  userId: string
  scopes: readonly string[]
  /** Access token issued with it, for `at_hash`. */
  accessToken: string
  /** Time of the sign-in, milliseconds since 1970; absent = without a sign-in. */
  authTime?: number
  nonce?: string
}

/** All claims that an ID token may have. */
export const idTokenClaims = (
  'iss sub aud exp iat auth_time nonce at_hash ' +
  'name preferred_username profile picture website email email_verified'
).split(' ')

/**
 * Signs the ID token of a user for a client. `iat` and `auth_time` follow the sandbox clock, but are never later than real
 * time, which clients compare them with.
 * @returns compact JWT, RS256; `exp` is `iat` plus the setting `lifetimes.idToken`
 * @see OpenID Connect Core §2, §3.1.3.6
 */
export function signIdToken(deps: OAuthDeps, request: IdTokenRequest): Promise<string> {
  const user = deps.state.users.get(request.userId)
  if (user === undefined) throw new Error(`no user has the id ${request.userId}`)
  const issuedAt = issueSeconds(deps.clock)
  const claims = {
    ...buildIdentityClaims(deps, user, request.scopes),
    iss: deps.settings.baseUrl,
    sub: user.id,
    aud: request.clientId,
    iat: issuedAt,
    exp: issuedAt + wholeSeconds(deps.settings.lifetimes.idTokenMs),
    ...(request.authTime === undefined
      ? {}
      : { auth_time: Math.min(Math.floor(request.authTime / 1000), issuedAt) }),
    at_hash: accessTokenHash(request.accessToken),
    ...omitUndefined({ nonce: request.nonce }),
  }
  return deps.keys.sign(claims)
}

/** Returns `iat` for a signed token, in seconds since 1970: the earlier of sandbox time and real time. */
export function issueSeconds(clock: Pick<Clock, 'now' | 'realNow'>): number {
  return Math.floor(Math.min(clock.now(), clock.realNow()) / 1000)
}

/**
 * Returns the subject of an ID token that this sandbox signed for any client, also when it has expired.
 * @returns `undefined` for any other text
 * @see OpenID Connect Core §3.1.2.1 (`id_token_hint`)
 */
export async function subjectOfHint(
  { keys, settings }: Pick<OAuthDeps, 'keys' | 'settings'>,
  idToken: string,
): Promise<string | undefined> {
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose')
  try {
    const { payload } = await jwtVerify(
      idToken,
      createLocalJWKSet({ keys: [...(await keys.published())] }),
      { algorithms: ['RS256'], issuer: settings.baseUrl, currentDate: dateOf(0) },
    )
    return payload.sub
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}

/** Returns `at_hash`: the left half of the SHA-256 hash (OpenID Connect Core §3.1.3.6). */
export function accessTokenHash(accessToken: string): string {
  return createHash('sha256')
    .update(accessToken, 'ascii')
    .digest()
    .subarray(0, 16)
    .toString('base64url')
}
