import { isoTime } from '../../core/time.ts'
import {
  DiscussionCommentCreatePayload,
  DiscussionCommentUpdatePayload,
  DiscussionCreatePayload,
  DiscussionDeletePayload,
  DiscussionUpdatePayload,
} from '../../contract/webhook-payload.ts'
import type { Discussion } from '../../store/entities/hub-entities.ts'
import {
  addComment,
  changeStatus,
  changeTitle,
  deleteDiscussion,
  editComment,
  hideComment,
  listComments,
  openDiscussion,
} from '../../hub/discussions/discussions.ts'
import type { Comment } from '../../hub/commits/emit-hub-event.ts'
import type { HubDeps } from '../../hub/hub-deps.ts'
import {
  commitAsPullRequest,
  listConflicts,
  mergePullRequest,
} from '../../hub/discussions/pull-requests.ts'
import type { Recipe, Stage } from './recipe.ts'
import { changedFile } from './repo-recipes.ts'

export const discussionRecipes: readonly Recipe[] = [
  {
    event: 'discussion.create',
    scope: 'discussion',
    action: 'create',
    kind: 'discussion',
    title: 'Open a discussion',
    payload: DiscussionCreatePayload,
    sideEvents: [],
    run: (stage) => {
      open(stage.deps, stage)
    },
  },
  {
    event: 'discussion.create',
    scope: 'discussion',
    action: 'create',
    kind: 'pull-request',
    title: 'Open a pull request with a commit',
    payload: DiscussionCreatePayload,
    sideEvents: ['repo.content.update'],
    run: (stage) => {
      propose(stage.deps, stage)
    },
  },
  {
    ...update('retitle', 'Change the title'),
    run: (stage) => {
      const discussion = some(stage, ({ status }) => status !== 'merged')
      changeTitle(stage.deps, {
        discussion,
        title: retitled(discussion.title),
        actorId: stage.actorId,
      })
    },
  },
  {
    ...update('close', 'Close a discussion'),
    run: ({ deps, ...stage }) => {
      const discussion = some(stage, isUnresolved)
      changeStatus(deps, { discussion, status: 'closed', actorId: stage.actorId })
    },
  },
  {
    ...update('reopen', 'Reopen a discussion'),
    run: ({ deps, ...stage }) => {
      const { preparing, actorId } = stage
      const closed =
        newest(stage, ({ status }) => status === 'closed') ??
        changeStatus(preparing, {
          discussion: some(stage, isUnresolved),
          status: 'closed',
          actorId,
        })
      changeStatus(deps, { discussion: closed, status: 'open', actorId })
    },
  },
  {
    ...update('merge', 'Merge a pull request'),
    sideEvents: ['repo.content.update'],
    run: ({ deps, ...stage }) => {
      const { preparing, actorId } = stage
      const discussion =
        newest(stage, (candidate) => isMergeable(preparing, candidate)) ?? propose(preparing, stage)
      mergePullRequest(deps, { discussion, actorId })
    },
  },
  {
    event: 'discussion.delete',
    scope: 'discussion',
    action: 'delete',
    title: 'Delete a discussion',
    payload: DiscussionDeletePayload,
    sideEvents: [],
    run: ({ deps, ...stage }) => {
      // Not a pull request: deleting its ref would cause an additional event.
      const discussion = some(stage, ({ isPullRequest }) => !isPullRequest)
      deleteDiscussion(deps, { discussion, actorId: stage.actorId })
    },
  },
  {
    event: 'discussion.comment.create',
    scope: 'discussion.comment',
    action: 'create',
    title: 'Post a comment',
    payload: DiscussionCommentCreatePayload,
    sideEvents: [],
    run: ({ deps, ...stage }) => {
      const discussion = some(stage, isUnresolved)
      addComment(deps, { discussion, content: 'Thanks, I had a look.', actorId: stage.actorId })
    },
  },
  {
    ...commentUpdate('edit', 'Edit a comment'),
    run: ({ deps, ...stage }) => {
      const { discussion, comment } = someComment(stage)
      editComment(deps, {
        discussion,
        commentId: comment.id,
        content: `Edited at ${isoTime(deps.clock.now())}.`,
        actorId: comment.authorId,
      })
    },
  },
  {
    ...commentUpdate('hide', 'Hide a comment'),
    run: ({ deps, ...stage }) => {
      const { discussion, comment } = someComment(stage)
      hideComment(deps, { discussion, commentId: comment.id, actorId: stage.actorId })
    },
  },
]

function update(kind: string, title: string): Omit<Recipe, 'run'> {
  return {
    event: 'discussion.update',
    scope: 'discussion',
    action: 'update',
    kind,
    title,
    payload: DiscussionUpdatePayload,
    sideEvents: [],
  }
}

function commentUpdate(kind: string, title: string): Omit<Recipe, 'run'> {
  return {
    event: 'discussion.comment.update',
    scope: 'discussion.comment',
    action: 'update',
    kind,
    title,
    payload: DiscussionCommentUpdatePayload,
    sideEvents: [],
  }
}

type Preparation = Omit<Stage, 'deps'>

function open(deps: HubDeps, { repo, actorId }: Preparation): Discussion {
  const { discussion } = openDiscussion(deps, {
    repo,
    title: `A question about ${repo.name.split('/')[1]}`.slice(0, 200),
    description: 'How was this made, and may we build on it?',
    actorId,
  })
  return discussion
}

function propose(deps: HubDeps, { repo, actorId }: Preparation): Discussion {
  const proposal = `proposals/${deps.ids.of('trigger', repo.id).objectId()}.txt`
  const { discussion } = commitAsPullRequest(deps, {
    repo,
    revision: 'main',
    operations: [changedFile(deps, repo, proposal)],
    title: 'Add a proposal',
    description: 'Please have a look.',
    actorId,
  })
  return discussion
}

/** Returns the newest matching discussion, or opens one. */
function some(stage: Preparation, fits: (discussion: Discussion) => boolean): Discussion {
  return newest(stage, fits) ?? open(stage.preparing, stage)
}

function newest(
  { preparing: { state }, repo }: Preparation,
  fits: (discussion: Discussion) => boolean,
): Discussion | undefined {
  return state.discussions.group('repo', repo.id).findLast(fits)
}

/** Returns the newest visible comment that did not open its discussion, or posts one. */
function someComment(stage: Preparation): { discussion: Discussion; comment: Comment } {
  const { preparing, actorId } = stage
  const discussion = some(stage, isUnresolved)
  const answer = listComments(preparing, discussion)
    .slice(1)
    .findLast(({ hidden }) => hidden !== true)
  if (answer !== undefined) return { discussion, comment: answer }
  const content = 'A first answer.'
  return { discussion, comment: addComment(preparing, { discussion, content, actorId }) }
}

function isUnresolved({ status }: Discussion): boolean {
  return status === 'open' || status === 'draft'
}

function isMergeable(deps: HubDeps, discussion: Discussion): boolean {
  if (!discussion.isPullRequest || discussion.status !== 'open') return false
  // Open pull requests have commits, unless they were drafts before.
  const hasCommits = deps.state.discussionEvents
    .group('discussion', discussion.id)
    .some(({ type }) => type === 'commit')
  return hasCommits && listConflicts(deps, discussion).length === 0
}

/** Alternates between two titles. */
function retitled(title: string): string {
  const suffix = ' (renamed)'
  return title.endsWith(suffix) && title.length >= suffix.length + 3
    ? title.slice(0, -suffix.length)
    : title.slice(0, 200 - suffix.length) + suffix
}
