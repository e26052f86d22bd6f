import type { HubCollection } from '../../store/entities/hub-entities.ts'
import type { Principal } from '../access/principal.ts'
import type { HubDeps } from '../hub-deps.ts'
import { hasMark, marksOn, removeMark, setMark } from '../people/marks.ts'

type Upvote = { collection: Pick<HubCollection, 'id'>; userId: string }

/** Upvotes a collection. One that the user upvoted already stays as it is. */
export function upvote(
  deps: Pick<HubDeps, 'state' | 'clock' | 'bus'>,
  { collection: { id: targetId }, userId }: Upvote,
): void {
  const isNew = setMark(deps, { kind: 'upvote', userId, targetId })
  if (isNew) deps.bus.emit('collection.changed', { collectionId: targetId })
}

/** Takes an upvote back. A collection without it stays as it is. */
export function takeUpvoteBack(
  deps: Pick<HubDeps, 'state' | 'bus'>,
  { collection: { id: targetId }, userId }: Upvote,
): void {
  const existed = removeMark(deps, { kind: 'upvote', userId, targetId })
  if (existed) deps.bus.emit('collection.changed', { collectionId: targetId })
}

export function upvotesOf(deps: Pick<HubDeps, 'state'>, { id }: Pick<HubCollection, 'id'>): number {
  return marksOn(deps, 'upvote', id).length
}

/** Returns whether the caller upvoted a collection; nobody upvotes anything. */
export function isUpvotedBy(
  deps: Pick<HubDeps, 'state'>,
  principal: Principal,
  { id: targetId }: Pick<HubCollection, 'id'>,
): boolean {
  if (principal.kind === 'anonymous') return false
  return hasMark(deps, { kind: 'upvote', userId: principal.user.id, targetId })
}
