import type { PullRequestStorageResponse } from '../../contract/hub-discussions.ts'
import { own } from '../../core/own.ts'
import { Refusal } from '../../core/refusal.ts'
import { reachable } from '../../store/objects/reachable.ts'
import type { Discussion, LfsFile, Repo } from '../../store/entities/hub-entities.ts'
import { pullRequestRef } from '../commits/pull-request-commits.ts'
import { moveRefsAndTell } from '../commits/repo-refs.ts'
import { findLfsFile, forgetLfsFile, parseLfsPointer, pointerLimit } from '../files/lfs-objects.ts'
import type { ObjectStore } from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { type DiscussionInput, requireRepo } from './discussions.ts'

type StorageDeps = Pick<HubDeps, 'state' | 'objects'>

/**
 * Measures the objects of Git LFS that only a pull request has.
 * @throws {Refusal} `invalid` for a plain discussion
 */
export function measureStorage(
  deps: StorageDeps,
  discussion: Discussion,
): PullRequestStorageResponse {
  requirePullRequest(discussion)
  const files = findOwnFiles(deps, discussion)
  return {
    estimatedStorage: files.reduce((sum, { size }) => sum + size, 0),
    refDeleted: discussion.headCommitId !== undefined,
  }
}

/**
 * Deletes the ref of a closed or merged pull request with the objects of Git LFS that only it has, and emits an event.
 * The pull request stays.
 * @throws {Refusal} `invalid` for a plain discussion or while it is open, `not_found` if it has no ref
 */
export function deletePullRequestRef(
  deps: HubDeps,
  { discussion, actorId }: DiscussionInput,
): void {
  const { repo, headId } = requireDeletableRef(deps, discussion)
  const files = findOwnFiles(deps, discussion)
  deps.state.discussions.put({ ...discussion, headCommitId: headId })
  for (const { oid } of files) forgetLfsFile(deps, repo, oid)
  moveRefsAndTell(deps, repo, { [pullRequestRef(discussion.num)]: null }, actorId)
}

/** Returns the head of a pull request, also after its ref was deleted. */
export function pullRequestHead(
  { refs }: Repo,
  { num, headCommitId }: Discussion,
): string | undefined {
  return own(refs, pullRequestRef(num)) ?? headCommitId
}

function requireDeletableRef(
  deps: Pick<HubDeps, 'state'>,
  discussion: Discussion,
): { repo: Repo; headId: string } {
  requirePullRequest(discussion)
  const { num, status, repoId } = discussion
  if (status !== 'closed' && status !== 'merged') {
    throw new Refusal('invalid', `Pull request #${num} is ${status}: close or merge it first`)
  }
  const repo = requireRepo(deps, repoId)
  const headId = own(repo.refs, pullRequestRef(num))
  if (headId !== undefined) return { repo, headId }
  throw new Refusal('not_found', `The ref of pull request #${num} is deleted already`)
}

function requirePullRequest({ isPullRequest, num }: Discussion): void {
  if (!isPullRequest) throw new Refusal('invalid', `Discussion #${num} is not a pull request`)
}

/** Finds the objects of Git LFS whose pointers no other ref reaches. */
function findOwnFiles(deps: StorageDeps, { repoId, num }: Discussion): LfsFile[] {
  const repo = requireRepo(deps, repoId)
  const objects = deps.objects.of(repo)
  const { [pullRequestRef(num)]: headId, ...others } = repo.refs
  if (headId === undefined || deps.state.lfsFiles.groupSize('repo', repo.id) === 0) return []
  const kept = new Set<string>()
  for (const id of reachable(objects, Object.values(others))) {
    kept.add(id)
  }
  const found = new Map<string, LfsFile>()
  for (const id of reachable(objects, [headId], (one) => kept.has(one))) {
    const file = kept.has(id) ? undefined : fileBehind(deps, repo, objects, id)
    if (file !== undefined) found.set(file.oid, file)
  }
  // Another file may point to the same object by other bytes.
  for (const id of found.size === 0 ? [] : kept) {
    const file = fileBehind(deps, repo, objects, id)
    if (file !== undefined) found.delete(file.oid)
  }
  return [...found.values()]
}

/** Finds the object of Git LFS that a git object points to, if it is a pointer. */
function fileBehind(
  deps: Pick<HubDeps, 'state'>,
  repo: Repo,
  objects: ObjectStore,
  id: string,
): LfsFile | undefined {
  if (objects.size(id) >= pointerLimit) return undefined
  const { type, content } = objects.read(id)
  const pointer = type === 'blob' ? parseLfsPointer(content) : undefined
  return pointer && findLfsFile(deps, repo, pointer.oid)
}
