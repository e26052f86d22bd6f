import type { Deps } from '../events/deps.ts'
import type { Repo } from '../state/entities/hub.ts'
import { permit } from './access.ts'
import type { Principal } from './principal.ts'
import { requirePullRequestOpen } from './pull-request-commits.ts'

/**
 * Lets pass who may commit to a ref: to a pull request its author, too.
 * @param ref full name of a branch or of a pull request's ref
 * @throws {Refusal} the refusal; `conflict` for a pull request that takes no more commits
 */
export function permitCommit(
  deps: Pick<Deps, 'state' | 'settings'>,
  principal: Principal,
  repo: Repo,
  ref: string,
): void {
  const author = requirePullRequestOpen(deps, repo, ref)?.authorId
  const isAuthor = principal.kind !== 'anonymous' && principal.user.id === author
  permit(deps, principal, { action: isAuthor ? 'pull-request.commit' : 'repo.write', repo })
}
