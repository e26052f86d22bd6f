import type { Clock } from '../../core/clock.ts'
import { Refusal } from '../../core/refusal.ts'
import { isoTime } from '../../core/time.ts'
import type { Session, User } from '../../store/entities/account-entities.ts'
import type { AccessToken } from '../../store/entities/oauth-entities.ts'
import type { State } from '../../store/state.ts'
import { findActor } from '../../store/system-user.ts'
import { anonymous, type Principal } from './principal.ts'

interface CredentialDeps {
  readonly state: Pick<State, 'tokens' | 'users' | 'sessions' | 'trustedPublishers'>
  readonly clock: Pick<Clock, 'now'>
}

/** Text by which the Hub's clients distinguish a bad token from a missing repo. */
const invalidCredentialsMessage = 'Invalid credentials in Authorization header'

/**
 * Checks the caller again: a long body may lie between the start of a request and the change it makes.
 * @returns the same object where nothing has changed; anonymous where the session has ended
 * @throws {Refusal} `invalid_token` as {@link principalOfToken}
 */
export function presentPrincipal(deps: CredentialDeps, principal: Principal): Principal {
  if (principal.kind === 'anonymous') return principal
  const present =
    principal.kind === 'token'
      ? principalOfToken(deps, deps.state.tokens.get(principal.token.id))
      : principalOfSession(deps, principal)
  return isSame(present, principal) ? principal : present
}

/**
 * Finds the principal of a token.
 * @param token absent for an unknown one
 * @throws {Refusal} `invalid_token` for an unknown, expired or revoked token; `detail` says which
 */
export function principalOfToken(
  { state, clock }: CredentialDeps,
  token: AccessToken | undefined,
): Principal {
  if (token === undefined) throw refuseToken('no such token was issued by this sandbox')
  const { revokedAt, revokedBecause = 'by its user', expiresAt } = token
  if (revokedAt !== undefined) {
    throw refuseToken(`the token was revoked at ${isoTime(revokedAt)}: ${revokedBecause}`)
  }
  if (expiresAt !== undefined && expiresAt <= clock.now()) {
    throw refuseToken(`the token expired at ${isoTime(expiresAt)}`)
  }
  if (token.publisherId !== undefined) checkPublisher(state, token.publisherId)
  const user = findActor(state, token.userId)
  if (user === undefined) throw refuseToken('the user of the token no longer exists')
  return { kind: 'token', user, token }
}

/** A token from CI identity ends with its publisher. */
function checkPublisher(state: CredentialDeps['state'], id: string): void {
  const publisher = state.trustedPublishers.get(id)
  if (publisher === undefined) throw refuseToken('its trusted publisher was deleted')
  if (publisher.disabled === true) {
    throw refuseToken(`its trusted publisher ${publisher.name} is disabled`)
  }
}

/** Finds the session of a cookie and its user; `undefined` for an unknown or expired session. */
export function findSession(
  { state, clock }: CredentialDeps,
  cookie: string | undefined,
): { session: Session; user: User } | undefined {
  const session = cookie === undefined ? undefined : state.sessions.get(cookie)
  if (session === undefined || session.expiresAt <= clock.now()) return undefined
  const user = state.users.get(session.userId)
  return user === undefined ? undefined : { session, user }
}

/** @param detail reason for the developer */
export function refuseToken(detail: string): Refusal {
  return new Refusal('invalid_token', invalidCredentialsMessage, { detail })
}

function principalOfSession(
  deps: CredentialDeps,
  { user, session }: Extract<Principal, { kind: 'session' }>,
): Principal {
  if (session !== undefined) {
    const found = findSession(deps, session.id)
    return found === undefined ? anonymous : { kind: 'session', ...found }
  }
  const present = deps.state.users.get(user.id)
  return present === undefined ? anonymous : { kind: 'session', user: present }
}

function isSame(one: Principal, other: Principal): boolean {
  if (one.kind === 'anonymous' || other.kind === 'anonymous') return one.kind === other.kind
  if (one.user !== other.user) return false
  return one.kind !== 'token' || (other.kind === 'token' && one.token === other.token)
}
