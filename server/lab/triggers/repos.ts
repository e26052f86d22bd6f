import { omitUndefined } from '../../core/omit-undefined.ts'
import type { CreateRepoRequest, UpdateRepoRequest } from '../../contract/control-repos.ts'
import type { Deps } from '../../events/deps.ts'
import { commitFiles, type FileOperation } from '../../hub/commits/commits.ts'
import { requireRepoNamed } from './perform-event.ts'
import { findNamespace, parseRepoName } from '../../hub/files/repo-names.ts'
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '../../hub/repos/repos.ts'
import { mainRef } from '../../hub/files/revisions.ts'
import type { Repo } from '../../state/entities/hub.ts'
import { requireUser } from '../../state/lookups.ts'
import { actorOf } from './act-as.ts'

/**
 * Finds a repo by id or name: `acme/corpus`, with `models/`, `datasets/` or `spaces/` before it when several types share
 * the name.
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
  return createRepo(deps, {
    type,
    name: request.name,
    ...(request.private !== undefined && { visibility: request.private ? 'private' : 'public' }),
    ...omitUndefined({ gated: request.gated }),
    ...(type === 'space' ? { sdk } : {}),
    files: additions(request.files),
    ...omitUndefined({ actorId }),
  })
}

/**
 * Changes a repo as its owner would, each change with its events.
 * @throws {Refusal} as the Hub's API does
 */
export function updateRepoByHand(deps: Deps, repo: Repo, request: UpdateRepoRequest): Repo {
  const actorId = actorOf(deps, request.user, repo.ownerId)
  const actor = actorId === undefined ? {} : { actorId }
  let updated = repo
  if (request.name !== undefined && request.name !== repo.name) {
    updated = moveRepo(deps, { repo: updated, toName: request.name, ...actor })
  }
  const settings = {
    ...(request.private === undefined
      ? {}
      : { visibility: request.private ? ('private' as const) : ('public' as const) }),
    ...omitUndefined({ gated: request.gated }),
  }
  if (Object.keys(settings).length > 0) {
    updated = updateRepoSettings(deps, { repo: updated, settings, ...actor })
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
