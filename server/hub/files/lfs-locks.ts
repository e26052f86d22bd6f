import { Refusal } from '../../core/refusal.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { LfsLock, Repo } from '../../store/entities/hub-entities.ts'
import { checkFilePath } from '../rules/file-paths.ts'
import type { HubDeps } from '../hub-deps.ts'

type LockDeps = Pick<HubDeps, 'state' | 'ids' | 'clock'>

/** Returns the locks of a repo, the oldest first. */
export function locksOf({ state }: Pick<HubDeps, 'state'>, repo: Repo): LfsLock[] {
  return state.lfsLocks.group('repo', repo.id)
}

/** Finds the lock on a path for a ref; a lock or a question without a ref concerns every ref. */
export function findLock(
  deps: Pick<HubDeps, 'state'>,
  repo: Repo,
  { path, ref }: { path: string; ref?: string | undefined },
): LfsLock | undefined {
  return locksOf(deps, repo).find((lock) => lock.path === path && concerns(lock, ref))
}

export function concerns(lock: LfsLock, ref: string | undefined): boolean {
  return lock.ref === undefined || ref === undefined || lock.ref === ref
}

/**
 * Locks a file that is not locked.
 * @throws {Refusal} `invalid` for a path that no file can have
 */
export function lockFile(
  { state, ids, clock }: LockDeps,
  { repo, path, ref, ownerId }: { repo: Repo; path: string; ref?: string; ownerId: string },
): LfsLock {
  checkFilePath(path)
  return state.lfsLocks.put({
    id: ids.of('lfs lock', repo.id).objectId(),
    repoId: repo.id,
    path,
    ...omitUndefined({ ref }),
    ownerId,
    lockedAt: clock.now(),
  })
}

/**
 * Removes a lock.
 * @throws {Refusal} `not_found`; `forbidden` for a lock of another user without `force`
 */
export function unlockFile(
  { state }: Pick<HubDeps, 'state'>,
  { repo, id, userId, force }: { repo: Repo; id: string; userId: string; force: boolean },
): LfsLock {
  const lock = state.lfsLocks.get(id)
  if (lock?.repoId !== repo.id) throw new Refusal('not_found', `There is no lock ${id}`)
  if (lock.ownerId !== userId && !force) {
    const owner = state.users.get(lock.ownerId)?.username ?? 'a deleted user'
    throw new Refusal('forbidden', `${lock.path} is locked by ${owner}: unlock it with --force`)
  }
  state.lfsLocks.delete(id)
  return lock
}

/** Removes the locks of a repo that is deleted. */
export function forgetLocks(deps: Pick<HubDeps, 'state'>, repo: Repo): void {
  for (const { id } of locksOf(deps, repo)) deps.state.lfsLocks.delete(id)
}
