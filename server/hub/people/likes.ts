import type { LikeResponse } from '../../contract/hub-people.ts'
import { isoTime } from '../../core/time.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { Mark, Repo } from '../../store/entities/hub-entities.ts'
import { decide } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import type { HubDeps } from '../hub-deps.ts'
import { forgetMarksBy, hasMark, marksBy, removeMark, setMark } from './marks.ts'
import { gitTypeOf } from '../files/repo-names.ts'

type LikeDeps = Pick<HubDeps, 'state' | 'clock'>
type Like = { repo: Repo; userId: string }

/** Likes a repo. A repo that the user likes already stays as it is. */
export function likeRepo(deps: LikeDeps, { repo, userId }: Like): void {
  if (!setMark(deps, { kind: 'like', userId, targetId: repo.id })) return
  deps.state.repos.put({ ...repo, likes: repo.likes + 1 })
}

/** Takes a like back. A repo that the user does not like stays as it is. */
export function unlikeRepo(deps: Pick<HubDeps, 'state'>, { repo, userId }: Like): void {
  if (!removeMark(deps, { kind: 'like', userId, targetId: repo.id })) return
  deps.state.repos.put({ ...repo, likes: repo.likes - 1 })
}

/** Returns whether the caller likes a repo; nobody likes anything. */
export function isLikedBy(
  deps: Pick<HubDeps, 'state'>,
  principal: Principal,
  { id: targetId }: Pick<Repo, 'id'>,
): boolean {
  if (principal.kind === 'anonymous') return false
  return hasMark(deps, { kind: 'like', userId: principal.user.id, targetId })
}

/** Removes the likes, follows and upvotes of a user who is deleted. */
export function forgetLikesBy(deps: Pick<HubDeps, 'state'>, { id: userId }: User): void {
  for (const { targetId } of marksBy(deps, 'like', userId)) {
    const repo = deps.state.repos.get(targetId)
    if (repo !== undefined) unlikeRepo(deps, { repo, userId })
  }
  forgetMarksBy(deps, userId)
}

/** Lists the likes of a user for repos that the caller may see, the newest first. */
export function listLikes(
  deps: Pick<HubDeps, 'state' | 'settings'>,
  principal: Principal,
  { id }: User,
): { like: Mark; repo: Repo }[] {
  return marksBy(deps, 'like', id).flatMap((like) => {
    const repo = deps.state.repos.get(like.targetId)
    if (repo === undefined) return []
    return decide(deps, principal, { action: 'repo.read', repo }).allowed ? [{ like, repo }] : []
  })
}

export function describeLike({ like, repo }: { like: Mark; repo: Repo }): LikeResponse {
  return { createdAt: isoTime(like.createdAt), repo: { name: repo.name, type: gitTypeOf(repo) } }
}
