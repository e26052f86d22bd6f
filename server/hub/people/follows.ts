import { Refusal } from '../../core/refusal.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import type { Principal } from '../access/principal.ts'
import type { HubDeps } from '../hub-deps.ts'
import { hasMark, marksBy, removeMark, setMark } from './marks.ts'

type FollowDeps = Pick<HubDeps, 'state' | 'clock'>
interface Follow {
  userId: string
  /** Followed user or organization. */
  targetId: string
}

/**
 * Follows a user or organization. One that the user follows already stays as it is.
 * @throws {Refusal} `invalid` for the user's own account
 */
export function follow(deps: FollowDeps, { userId, targetId }: Follow): void {
  if (userId === targetId) throw new Refusal('invalid', 'You cannot follow yourself')
  setMark(deps, { kind: 'follow', userId, targetId })
}

/** Ends a follow. An account that the user does not follow stays as it is. */
export function unfollow(deps: Pick<HubDeps, 'state'>, { userId, targetId }: Follow): void {
  removeMark(deps, { kind: 'follow', userId, targetId })
}

/** Returns whether the caller follows an account; nobody follows anything. */
export function isFollowing(
  deps: Pick<HubDeps, 'state'>,
  principal: Principal,
  targetId: string,
): boolean {
  if (principal.kind === 'anonymous') return false
  return hasMark(deps, { kind: 'follow', userId: principal.user.id, targetId })
}

/** Lists the accounts that a user follows, the latest first. */
export function followedBy(
  deps: Pick<HubDeps, 'state'>,
  userId: string,
): { users: User[]; organizations: Organization[] } {
  const { state } = deps
  const targets = marksBy(deps, 'follow', userId).map(({ targetId }) => targetId)
  return {
    users: targets.flatMap((id) => state.users.get(id) ?? []),
    organizations: targets.flatMap((id) => state.organizations.get(id) ?? []),
  }
}
