import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../core/refusal.ts'
import { pathOf } from '../../core/request-target.ts'
import { withoutBackslashes } from '../rules/file-paths.ts'
import type { Commit, ObjectStore } from '../files/git-objects.ts'
import { findPath, type PathEntry } from '../files/trees.ts'

/** Returns the part of a request's path that the `*` of its route stands for, still encoded. */
export function restOfPath({ url, routeOptions }: FastifyRequest): string {
  const path = pathOf(url)
  const slashes = (routeOptions.url ?? '').split('/').length - 1
  let start = 0
  for (let slash = 0; slash < slashes; slash += 1) start = path.indexOf('/', start) + 1
  return path.slice(start)
}

interface EntryQuestion {
  commit: Commit
  path: string
  type: PathEntry['type']
  /** Branch, tag or commit id in the request, for messages. */
  revision: string
}

/**
 * Finds the file or folder that a request names at a commit; a path with the backslashes of its upload works too.
 * @throws {Refusal} `EntryNotFound`; the response still names the commit, which clients cache
 */
export function requireEntry(
  reply: FastifyReply,
  objects: ObjectStore,
  { commit, path, type, revision }: EntryQuestion,
): PathEntry {
  reply.header('x-repo-commit', commit.id)
  const found =
    findPath(objects, commit.treeId, path) ??
    findPath(objects, commit.treeId, withoutBackslashes(path))
  if (found?.type === type) return found
  const message =
    type === 'file' ? 'Entry not found' : `${path} does not exist on ${JSON.stringify(revision)}`
  throw new Refusal('not_found', message, {
    hubError: 'EntryNotFound',
    detail:
      found === undefined ? `there is no ${path} at ${commit.id}` : `${path} is a ${found.type}`,
  })
}
