import type {
  CommitRequest,
  CreateRefRequest,
  DeleteRefQuery,
  MergeRequest,
  OpenDiscussionRequest,
  UpdateDiscussionRequest,
} from '../../contract/control-repo-contents.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Deps } from '../deps.ts'
import { commitQuestion } from '../commits/commit-access.ts'
import { commitFiles, type FileOperation } from '../commits/commits.ts'
import type { Commit } from '../files/git-objects.ts'
import {
  addComment,
  changeStatus,
  changeTitle,
  openDiscussion,
  requireDiscussion,
} from '../discussions/discussions.ts'
import type { Comment } from '../commits/emit-hub-event.ts'
import type { HubDeps } from '../hub-deps.ts'
import {
  commitAsPullRequest,
  mergeWhenWritten,
  openPullRequest,
} from '../discussions/pull-requests.ts'
import { createBranch, createTag, deleteBranch, deleteTag } from '../commits/repo-refs.ts'
import { requireWritableRef } from '../files/revisions.ts'
import type { User } from '../../store/entities/account-entities.ts'
import type { Discussion, Repo } from '../../store/entities/hub-entities.ts'
import { requireUser } from '../../store/lookups.ts'
import { permitAs } from '../access/act-as.ts'

// Actions of a Hub user in a repo, with the Hub's rules and events. Each throws the Hub's own refusals; `forbidden` names
// the missing right.

/** Commits to a branch or pull request, or opens a pull request with the commit. */
export function commitAs(
  deps: Deps,
  repo: Repo,
  request: CommitRequest,
): { commit: Commit; discussion?: Discussion } {
  const { revision = 'main', title, files, description, parentCommit } = request
  const user = requireUser(deps, request.user, 'user')
  const input = {
    repo,
    revision,
    title,
    actorId: user.id,
    operations: operationsOf(files),
    ...omitUndefined({ description, parentCommit }),
  }
  if (request.pullRequest === true) {
    permitAs(deps, user, { action: 'pull-request.commit', repo })
    return commitAsPullRequest(triggered(deps), input)
  }
  const ref = requireWritableRef(repo, revision)
  permitAs(deps, user, commitQuestion(deps, { kind: 'session', user }, repo, ref))
  return commitFiles(triggered(deps), input)
}

export function createRefAs(deps: Deps, repo: Repo, request: CreateRefRequest): Repo {
  const { kind, name, revision } = request
  const input = { repo, name, actorId: permitWriter(deps, repo, request.user).id }
  return kind === 'tag'
    ? createTag(triggered(deps), { ...input, ...omitUndefined({ revision }) })
    : createBranch(triggered(deps), { ...input, ...omitUndefined({ startingPoint: revision }) })
}

export function deleteRefAs(deps: Deps, repo: Repo, { kind, name, user }: DeleteRefQuery): Repo {
  const input = { repo, name, actorId: permitWriter(deps, repo, user).id }
  return kind === 'tag' ? deleteTag(triggered(deps), input) : deleteBranch(triggered(deps), input)
}

export function openDiscussionAs(
  deps: Deps,
  repo: Repo,
  { user: username, title, description, pullRequest = false }: OpenDiscussionRequest,
): Discussion {
  const user = requireUser(deps, username, 'user')
  const action = pullRequest ? 'pull-request.create' : 'discussion.create'
  permitAs(deps, user, { action, repo })
  const input = { repo, title, actorId: user.id, ...omitUndefined({ description }) }
  const open = pullRequest ? openPullRequest : openDiscussion
  return open(triggered(deps), input).discussion
}

export function commentAs(
  deps: Deps,
  repo: Repo,
  discussion: Discussion,
  { user: username, content }: { user: string; content: string },
): Comment {
  const user = requireUser(deps, username, 'user')
  permitAs(deps, user, { action: 'discussion.comment', repo })
  return addComment(triggered(deps), { discussion, actorId: user.id, content })
}

/** Changes the title, then the status; a comment accompanies the status, or is posted alone. */
export function updateDiscussionAs(
  deps: Deps,
  repo: Repo,
  discussion: Discussion,
  { user: username, title, status, comment }: UpdateDiscussionRequest,
): Discussion {
  const user = requireUser(deps, username, 'user')
  const actorId = user.id
  const { authorId } = discussion
  if (title !== undefined || status !== undefined) {
    permitAs(deps, user, { action: 'discussion.change', repo, authorId })
  }
  if (comment !== undefined) permitAs(deps, user, { action: 'discussion.comment', repo })
  const hub = triggered(deps)
  const retitled =
    title === undefined ? discussion : changeTitle(hub, { discussion, actorId, title })
  if (status !== undefined) {
    const input = { discussion: retitled, actorId, status, ...omitUndefined({ comment }) }
    return changeStatus(hub, input)
  }
  if (comment !== undefined) addComment(hub, { discussion, actorId, content: comment })
  return retitled
}

export function mergeAs(
  deps: Deps,
  repo: Repo,
  num: number,
  { user: username, comment }: MergeRequest,
): Promise<Discussion> {
  const user = requireUser(deps, username, 'user')
  permitAs(deps, user, { action: 'pull-request.merge', repo })
  return mergeWhenWritten({ ...deps, cause: 'trigger' }, () => ({
    discussion: requireDiscussion(deps, repo, num),
    actorId: user.id,
    ...omitUndefined({ comment }),
  }))
}

/** Marks the cause: the user of the sandbox, not a client of the Hub. */
function triggered(deps: Deps): HubDeps {
  return { ...deps, cause: 'trigger' }
}

function permitWriter(deps: Deps, repo: Repo, username: string): User {
  const user = requireUser(deps, username, 'user')
  permitAs(deps, user, { action: 'repo.write', repo })
  return user
}

function operationsOf(files: CommitRequest['files']): FileOperation[] {
  return Object.entries(files).map(([path, content]) =>
    content === null ? { kind: 'delete', path } : { kind: 'add', path, content },
  )
}
