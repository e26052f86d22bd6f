import type { Deps } from '../events/deps.ts'
import type { Session, User } from '../state/entities/accounts.ts'

/** Signs a user in at a browser. */
export function startSession(deps: Deps, user: User): Session {
  const now = deps.clock.now()
  const session = deps.state.sessions.put({
    id: `sandbox_${deps.ids.of('session', user.id).alphanumeric(40)}`,
    userId: user.id,
    createdAt: now,
    expiresAt: now + deps.settings.lifetimes.sessionMs,
  })
  deps.bus.emit('session.started', { userId: user.id, username: user.username })
  return session
}

export function endSession(deps: Deps, id: string): void {
  const session = deps.state.sessions.get(id)
  if (session === undefined) return
  deps.state.sessions.delete(id)
  deps.bus.emit('session.ended', { userId: session.userId })
}

/** The session of a cookie and its user; `undefined` when it is unknown or has expired. */
export function findSession(
  deps: Pick<Deps, 'state' | 'clock'>,
  cookie: string | undefined,
): { session: Session; user: User } | undefined {
  const session = cookie === undefined ? undefined : deps.state.sessions.get(cookie)
  if (session === undefined || session.expiresAt <= deps.clock.now()) return undefined
  const user = deps.state.users.get(session.userId)
  return user === undefined ? undefined : { session, user }
}
