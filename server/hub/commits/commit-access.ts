import { Refusal } from '../../core/refusal.ts'
import type { Deps } from '../deps.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { type AccessQuestion, decide, permit, type PermitDeps } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { requirePullRequestOpen, takesCommits } from './pull-request-commits.ts'
import { findRef } from '../files/revisions.ts'
import { includesRight, rightOnRepo } from '../access/rights.ts'

/**
 * Returns the permission that a commit to a ref needs; the author of a pull request may commit to it.
 * @param ref full name of a branch or of a pull request's ref
 * @throws {Refusal} `conflict` for a merged or closed pull request
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
 * Throws unless the principal may commit to a ref, see {@link commitQuestion}.
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
 * Permits a commit over the API, where readers can open a pull request instead.
 * @throws {Refusal} as {@link permitCommit}; a reader's commit to a branch is `forbidden` in the words of the hub
 */
export function permitApiCommit(
  deps: PermitDeps,
  principal: Principal,
  repo: Repo,
  ref: string,
): void {
  const decision = decide(deps, principal, commitQuestion(deps, principal, repo, ref))
  const isReader =
    !decision.allowed &&
    principal.kind !== 'anonymous' &&
    !includesRight(rightOnRepo(deps.state, principal.user.id, repo), 'write') &&
    decide(deps, principal, { action: 'pull-request.commit', repo }).allowed
  if (isReader && ref.startsWith('refs/heads/')) {
    throw new Refusal(decision.code, passCreatePr, {
      detail: `${decision.message}: ${decision.options.detail}`,
    })
  }
  permitCommit(deps, principal, repo, ref)
}

const passCreatePr = 'Forbidden: pass `create_pr=1` as a query parameter to create a Pull Request'

/**
 * Permits a push by users with the write right and by authors of open pull requests. Each ref is checked when the push
 * names it.
 * @throws {Refusal} the refusal of the write right
 */
export function permitPush(deps: PermitDeps, principal: Principal, repo: Repo): void {
  const mayCommitToOwn =
    principal.kind !== 'anonymous' &&
    decide(deps, principal, { action: 'pull-request.commit', repo }).allowed &&
    deps.state.discussions
      .group('repo', repo.id)
      .some((discussion) => discussion.authorId === principal.user.id && takesCommits(discussion))
  const mayWrite = decide(deps, principal, { action: 'repo.write', repo }).allowed
  permit(deps, principal, {
    action: mayCommitToOwn && !mayWrite ? 'pull-request.commit' : 'repo.write',
    repo,
  })
}

/**
 * Permits an upload of large files before the commit that refers to them.
 * @param revision branch or `refs/pr/N` to commit to; absent for a future pull request, which readers may open
 * @throws {Refusal} `forbidden` for a branch without the write right, `conflict` for a closed pull request
 */
export function permitLfsUpload(
  deps: PermitDeps,
  principal: Principal,
  repo: Repo,
  revision: string | undefined,
): void {
  const ref = revision === undefined ? undefined : findRef(repo, revision)
  if (ref !== undefined) return permitCommit(deps, principal, repo, ref)
  const mayOpen = decide(deps, principal, { action: 'pull-request.commit', repo }).allowed
  const action = revision === undefined && mayOpen ? 'pull-request.commit' : 'repo.write'
  permit(deps, principal, { action, repo })
}
