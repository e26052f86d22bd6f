import type { Deps } from '../deps.ts'
import type { Session, User } from '../../store/entities/account-entities.ts'

/** Creates a browser session for a user. */
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
