import type { FastifyInstance, FastifyReply } from 'fastify'
import { type LfsLockItem, lfsMediaType, mostLfsLocks } from '../../contract/hub-lfs.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { Refusal } from '../../core/refusal.ts'
import { isoTime } from '../../core/time.ts'
import { concerns, findLock, lockFile, locksOf, unlockFile } from '../files/lfs-locks.ts'
import type { LfsLock } from '../../store/entities/hub-entities.ts'
import { signedIn } from '../http/principal-of-request.ts'
import { hub } from '../http/hub-route.ts'
import type { HubServices } from '../services.ts'

/**
 * Registers the locks of Git LFS. They are for those who may write; Git LFS itself refuses to push a file that another
 * user has locked.
 * @see https://github.com/git-lfs/git-lfs/blob/main/docs/api/locking.md
 */
export function registerLocks(app: FastifyInstance, deps: HubServices): void {
  const send = (reply: FastifyReply, body: object) => reply.type(lfsMediaType).send(body)

  hub(app, 'POST /:repo/info/lfs/locks', (request, reply) => {
    const { repo, body } = request
    const { path } = body
    const wanted = { path, ...omitUndefined({ ref: body.ref?.name }) }
    const present = findLock(deps, repo, wanted)
    if (present !== undefined) {
      const message = `${path} is locked by ${ownerOf(deps, present)} already`
      return send(reply.code(409), { lock: describe(deps, present), message })
    }
    const ownerId = signedIn(request).user.id
    const lock = lockFile(deps, { repo, ...wanted, ownerId })
    return send(reply.code(201), { lock: describe(deps, lock) })
  })

  hub(app, 'GET /:repo/info/lfs/locks', ({ repo, query }, reply) => {
    const { path, id, refspec } = query
    const found = locksOf(deps, repo).filter(
      (lock) =>
        (path === undefined || lock.path === path) &&
        (id === undefined || lock.id === id) &&
        concerns(lock, refspec),
    )
    const { page, next } = pageOf(found, query)
    const locks = page.map((lock) => describe(deps, lock))
    return send(reply, { locks, ...omitUndefined({ next_cursor: next }) })
  })

  hub(app, 'POST /:repo/info/lfs/locks/verify', (request, reply) => {
    const { repo, body } = request
    const userId = signedIn(request).user.id
    const found = locksOf(deps, repo).filter((lock) => concerns(lock, body.ref?.name))
    const { page, next } = pageOf(found, body)
    const those = (own: boolean) =>
      page.filter(({ ownerId }) => (ownerId === userId) === own).map((lock) => describe(deps, lock))
    const locks = { ours: those(true), theirs: those(false) }
    return send(reply, { ...locks, ...omitUndefined({ next_cursor: next }) })
  })

  hub(app, 'POST /:repo/info/lfs/locks/:id/unlock', (request, reply) => {
    const { id } = request.params
    const userId = signedIn(request).user.id
    const { force = false } = request.body
    const lock = unlockFile(deps, { repo: request.repo, id, userId, force })
    return send(reply, { lock: describe(deps, lock) })
  })
}

/** @throws {Refusal} `invalid` for an unknown cursor */
function pageOf(
  found: readonly LfsLock[],
  { cursor, limit = 0 }: { cursor?: string; limit?: number },
): { page: LfsLock[]; next?: string | undefined } {
  const from = cursor === undefined ? 0 : found.findIndex(({ id }) => id === cursor)
  if (from < 0) throw new Refusal('invalid', `Invalid cursor ${cursor}: use a next_cursor`)
  const end = from + (limit === 0 ? mostLfsLocks : Math.min(limit, mostLfsLocks))
  return { page: found.slice(from, end), next: found[end]?.id }
}

function describe(deps: Pick<HubServices, 'state'>, lock: LfsLock): LfsLockItem {
  const { id, path, lockedAt } = lock
  return { id, path, locked_at: isoTime(lockedAt), owner: { name: ownerOf(deps, lock) } }
}

/** The lock of a user who was deleted stays until a user forces it open. */
function ownerOf({ state }: Pick<HubServices, 'state'>, { ownerId }: LfsLock): string {
  return state.users.get(ownerId)?.username ?? 'deleted user'
}
