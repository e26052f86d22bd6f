import { isoTime } from '../core/time.ts'
import type { Deps } from '../events/deps.ts'
import { anonymous, type Principal } from '../hub/principal.ts'
import { Refusal } from '../core/refusal.ts'
import { findSession } from './sessions.ts'

/** The text the hub's clients compare to tell a bad token from a missing repo. */
export const invalidCredentialsMessage = 'Invalid credentials in Authorization header'

/**
 * Tells whose bearer token this is.
 * @param authorization value of the `Authorization` header; absent = anonymous
 * @throws {Refusal} `invalid_token` when the token is unknown, expired or revoked; `detail` says which
 * @see RFC 6750 §2.1, §3.1
 */
export function identifyBearer(
  deps: Pick<Deps, 'state' | 'clock'>,
  authorization: string | undefined,
): Principal {
  if (authorization === undefined) return anonymous
  const value = /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1]
  if (value === undefined) {
    throw refuse('the Authorization header is not of the form `Bearer <token>`')
  }
  return identifyToken(deps, value)
}

/**
 * Tells whose token this is where a program can only sign in with a name and a password: the token is the password, and
 * the name counts for nothing. A bearer token is taken, too.
 * @param authorization value of the `Authorization` header; absent = anonymous
 * @throws {Refusal} `invalid_token` as {@link identifyBearer}
 * @see RFC 7617 §2
 */
export function identifyBasic(
  deps: Pick<Deps, 'state' | 'clock'>,
  authorization: string | undefined,
): Principal {
  const encoded = /^Basic +([\w+/=-]+) *$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return identifyBearer(deps, authorization)
  const pair = Buffer.from(encoded, 'base64').toString()
  const password = pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : ''
  if (password === '') throw refuse('the password is empty; it has to be an access token')
  return identifyToken(deps, password)
}

function identifyToken(deps: Pick<Deps, 'state' | 'clock'>, value: string): Principal {
  const token = deps.state.tokens.find('token', value)
  if (token === undefined) throw refuse('no such token was issued by this sandbox')
  if (token.revokedAt !== undefined) {
    throw refuse(
      `the token was revoked at ${isoTime(token.revokedAt)}: ${token.revokedBecause ?? 'by its user'}`,
    )
  }
  if (token.expiresAt !== undefined && token.expiresAt <= deps.clock.now()) {
    throw refuse(`the token expired at ${isoTime(token.expiresAt)}`)
  }
  const user = deps.state.users.get(token.userId)
  if (user === undefined) throw refuse('the user of the token no longer exists')
  return { kind: 'token', user, token }
}

/** The signed-in user of a browser session; anonymous when the cookie is absent, unknown or expired. */
export function identifySession(
  deps: Pick<Deps, 'state' | 'clock'>,
  cookie: string | undefined,
): Principal {
  const found = findSession(deps, cookie)
  return found === undefined ? anonymous : { kind: 'session', user: found.user }
}

function refuse(detail: string): Refusal {
  return new Refusal('invalid_token', invalidCredentialsMessage, { detail })
}
