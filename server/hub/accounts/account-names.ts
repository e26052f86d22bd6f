import { Refusal } from '../../core/refusal.ts'
import type { HubDeps } from '../hub-deps.ts'
import { findNamespace } from '../files/repo-names.ts'
import { moveRepo } from '../repos/repos.ts'

/**
 * Checks that a name is free. Users and organizations share one case-insensitive name space.
 * @param ownId the account that may keep its name in another case
 * @throws {Refusal} `conflict` when the name is taken
 */
export function requireFreeAccountName(deps: HubDeps, name: string, ownId?: string): void {
  const holder = findNamespace(deps.state, name)
  if (holder === undefined || holder.id === ownId) return
  const kind = holder.kind === 'user' ? 'A user' : 'An organization'
  throw new Refusal('conflict', `${kind} already has the name ${holder.name}.`)
}

/** Moves the repos of a renamed account to its new name; their old names redirect to them. */
export function moveReposAlong(deps: HubDeps, ownerId: string, name: string): void {
  for (const repo of deps.state.repos.group('owner', ownerId)) {
    moveRepo(deps, { repo, toName: `${name}/${repo.name.slice(repo.name.indexOf('/') + 1)}` })
  }
}
