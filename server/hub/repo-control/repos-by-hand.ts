import { omitUndefined } from '../../core/omit-undefined.ts'
import type { CreateRepoRequest, UpdateRepoRequest } from '../../contract/control-repos.ts'
import type { Deps } from '../deps.ts'
import { commitFiles, type FileOperation } from '../commits/commits.ts'
import { requireRepoNamed } from '../access/named-repo.ts'
import { findNamespace, parseRepoName } from '../files/repo-names.ts'
import { type BucketChange, changeBucketFiles } from '../buckets/bucket-files.ts'
import { createBucket } from '../buckets/buckets.ts'
import { storeContent } from '../buckets/store-content.ts'
import { Refusal } from '../../core/refusal.ts'
import { problemOfPath } from '../rules/file-paths.ts'
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '../repos/repos.ts'
import { mainRef } from '../files/revisions.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { requireUser } from '../../store/lookups.ts'
import { actorOf } from '../access/act-as.ts'

/**
 * Finds a repo by id or name: `acme/corpus`, with `models/`, `datasets/`, `spaces/` or `buckets/` before it when several
 * types share the name.
 * @throws {Refusal} `not_found`; `conflict` with the candidates for an ambiguous name
 */
export function findRepoByHand(deps: Deps, idOrName: string): Repo {
  return deps.state.repos.get(idOrName) ?? requireRepoNamed(deps, idOrName)
}

/** @throws {Refusal} as the Hub's API does */
export function createRepoByHand(deps: Deps, request: CreateRepoRequest): Repo {
  const { namespace } = parseRepoName(request.name)
  const actorId = actorOf(deps, request.user, findNamespace(deps.state, namespace)?.id)
  const { type, sdk = 'static' } = request
  const actor = omitUndefined({ actorId })
  const input = {
    name: request.name,
    ...(request.private !== undefined && visibilityOf(request.private)),
    ...actor,
  }
  if (type === 'bucket') {
    refuseGate(request)
    const changes = bucketChanges(deps, request.files)
    return changeBucketFiles(deps, { bucket: createBucket(deps, input), changes, ...actor })
  }
  return createRepo(deps, {
    type,
    ...input,
    ...omitUndefined({ gated: request.gated }),
    ...(type === 'space' ? { sdk } : {}),
    files: additions(request.files),
  })
}

/**
 * Changes a repo as its owner would, each change with its events.
 * @throws {Refusal} as the Hub's API does
 */
export function updateRepoByHand(deps: Deps, repo: Repo, request: UpdateRepoRequest): Repo {
  const actorId = actorOf(deps, request.user, repo.ownerId)
  const actor = actorId === undefined ? {} : { actorId }
  if (repo.type === 'bucket') refuseGate(request)
  const changes = repo.type === 'bucket' ? bucketChanges(deps, request.files) : []
  let updated = repo
  if (request.name !== undefined && request.name !== repo.name) {
    updated = moveRepo(deps, { repo: updated, toName: request.name, ...actor })
  }
  const settings = {
    ...(request.private !== undefined && visibilityOf(request.private)),
    ...omitUndefined({ gated: request.gated }),
  }
  if (Object.keys(settings).length > 0) {
    updated = updateRepoSettings(deps, { repo: updated, settings, ...actor })
  }
  if (repo.type === 'bucket') {
    return changeBucketFiles(deps, { bucket: updated, changes, ...actor })
  }
  const operations = additions(request.files)
  if (operations.length > 0) {
    const title = `Update ${operations.map(({ path }) => path).join(', ')}`
    const change = { repo: updated, revision: mainRef, operations, title, ...actor }
    updated = commitFiles(deps, change).repo
  }
  return request.access === undefined ? updated : answerRequests(deps, updated, request.access)
}

export function deleteRepoByHand(deps: Deps, repo: Repo): void {
  const actorId = actorOf(deps, undefined, repo.ownerId)
  deleteRepo(deps, { repo, ...omitUndefined({ actorId }) })
}

function answerRequests(
  deps: Deps,
  repo: Repo,
  answers: NonNullable<UpdateRepoRequest['access']>,
): Repo {
  const now = deps.clock.now()
  const requests = new Map(repo.accessRequests.map((request) => [request.userId, request]))
  for (const [index, { user, status }] of answers.entries()) {
    const { id } = requireUser(deps, user, `access[${index}].user`)
    requests.set(id, { ...requests.get(id), userId: id, status, at: now })
  }
  return deps.state.repos.put({ ...repo, accessRequests: [...requests.values()], updatedAt: now })
}

function additions(files: Record<string, string> = {}): (FileOperation & { kind: 'add' })[] {
  return Object.entries(files).map(([path, content]) => ({ kind: 'add', path, content }))
}

/** @throws {Refusal} `unprocessable` for an invalid path */
function bucketChanges(deps: Deps, files: Record<string, string> = {}): BucketChange[] {
  const problems = Object.keys(files).flatMap((path) => {
    const problem = problemOfPath(path)
    return problem === undefined ? [] : [`Invalid path ${JSON.stringify(path)}: ${problem}`]
  })
  if (problems[0] !== undefined) throw new Refusal('unprocessable', problems[0])
  const mtime = deps.clock.now()
  return Object.entries(files).map(([path, text]) => ({
    kind: 'add',
    path,
    content: storeContent(deps.objects, Buffer.from(text)),
    mtime,
  }))
}

/** @throws {Refusal} `invalid` for what a bucket cannot have */
function refuseGate({ gated, access }: { gated?: Repo['gated']; access?: unknown }): void {
  if ((gated ?? false) === false && access === undefined) return
  throw new Refusal('invalid', 'A bucket cannot be gated: leave out gated and access')
}

function visibilityOf(isPrivate: boolean): { visibility: 'private' | 'public' } {
  return { visibility: isPrivate ? 'private' : 'public' }
}
