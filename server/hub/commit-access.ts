import type { Deps } from '../events/deps.ts'
import type { Repo } from '../state/entities/hub.ts'
import { type AccessQuestion, decide, permit, type PermitDeps } from './access.ts'
import type { Principal } from './principal.ts'
import { requirePullRequestOpen, takesCommits } from './pull-request-commits.ts'

/**
 * What a commit to a ref asks for: to a pull request its author may commit, too.
 * @param ref full name of a branch or of a pull request's ref
 * @throws {Refusal} `conflict` for a pull request that takes no more commits
 */
export function commitQuestion(
  deps: Pick<Deps, 'state'>,
  principal: Principal,
  repo: Repo,
  ref: string,
): AccessQuestion {
  const author = requirePullRequestOpen(deps, repo, ref)?.authorId
  const isAuthor = principal.kind !== 'anonymous' && principal.user.id === author
  return { action: isAuthor ? 'pull-request.commit' : 'repo.write', repo }
}

/**
 * Lets pass who may commit to a ref, see {@link commitQuestion}.
 * @throws {Refusal} the refusal, or that of the pull request
 */
export function permitCommit(
  deps: PermitDeps,
  principal: Principal,
  repo: Repo,
  ref: string,
): void {
  permit(deps, principal, commitQuestion(deps, principal, repo, ref))
}

/**
 * Lets pass who may push anything at all: whoever may write, or has a pull request there that is not closed. What it takes
 * for each ref is asked when they are known.
 * @throws {Refusal} the refusal
 */
export function permitPush(deps: PermitDeps, principal: Principal, repo: Repo): void {
  if (decide(deps, principal, { action: 'repo.write', repo }).allowed) return
  const hasPullRequest =
    principal.kind !== 'anonymous' &&
    deps.state.discussions
      .group('repo', repo.id)
      .some((discussion) => discussion.authorId === principal.user.id && takesCommits(discussion))
  permit(deps, principal, { action: hasPullRequest ? 'pull-request.commit' : 'repo.write', repo })
}
