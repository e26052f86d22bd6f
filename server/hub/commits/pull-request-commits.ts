import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Discussion, Repo } from '../../store/entities/hub-entities.ts'
import type { Commit } from '../files/git-objects.ts'
import type { HubDeps } from '../hub-deps.ts'
import { Refusal } from '../../core/refusal.ts'

export function pullRequestRef(num: number): string {
  return `refs/pr/${num}`
}

/**
 * Finds the open pull request of a ref; `undefined` for other refs.
 * @throws {Refusal} `conflict` when it is merged or closed
 */
export function requirePullRequestOpen(
  { state }: Pick<HubDeps, 'state'>,
  repo: Repo,
  ref: string,
): Discussion | undefined {
  const num = /^refs\/pr\/(\d+)$/.exec(ref)?.[1]
  if (num === undefined) return undefined
  const discussion = state.discussions.find('number', `${repo.id}/${num}`)
  if (discussion !== undefined && !takesCommits(discussion)) {
    throw new Refusal('conflict', `Pull request #${num} is ${discussion.status}`)
  }
  return discussion
}

/** Checks that a pull request is neither merged nor closed. */
export function takesCommits({ isPullRequest, status }: Discussion): boolean {
  return isPullRequest && status !== 'merged' && status !== 'closed'
}

/** Adds a commit to the timeline of a pull request. */
export function recordPullRequestCommit(
  { state, ids, clock }: Pick<HubDeps, 'state' | 'ids' | 'clock'>,
  discussion: Discussion,
  commit: Commit,
): void {
  state.discussionEvents.put({
    id: ids.of('discussion event', discussion.id).objectId(),
    discussionId: discussion.id,
    type: 'commit',
    ...omitUndefined({ authorId: commit.authorId }),
    createdAt: clock.now(),
    subject: commit.title,
    oid: commit.id,
  })
}
