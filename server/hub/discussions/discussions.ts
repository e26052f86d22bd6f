import type { Discussion, DiscussionEvent, Repo } from '../../store/entities/hub-entities.ts'
import { type Comment, emitHubEvent } from '../commits/emit-hub-event.ts'
import type { HubDeps } from '../hub-deps.ts'
import { Refusal } from '../../core/refusal.ts'
import { checkMessage } from '../commits/commit-message.ts'
import { pullRequestRef } from '../commits/pull-request-commits.ts'
import { moveRefs } from '../commits/repo-refs.ts'
import { own } from '../../core/own.ts'
import {
  longestComment,
  longestDiscussion,
  mostTimelineEntries,
  titleLength,
} from '../../contract/fixtures/limits.ts'
import type { EventAction } from '../../contract/words/hub-words.ts'

/** Versions of a comment that are kept, so that its record does not grow with every edit. */
const longestHistory = 50

export interface OpenDiscussionInput {
  repo: Repo
  title: string
  /** The opening comment; may be empty. */
  description?: string
  actorId: string
  id?: string
}

/** Input of a change to a discussion. */
export interface DiscussionInput {
  discussion: Discussion
  actorId: string
}

/**
 * Opens a discussion with its first comment and emits events.
 * @throws {Refusal} `invalid` for a title outside of 3 to 200 characters or too long a comment
 */
export function openDiscussion(
  deps: HubDeps,
  input: OpenDiscussionInput,
): { repo: Repo; discussion: Discussion; comment: Comment } {
  const opened = addDiscussion(deps, input, { status: 'open', isPullRequest: false })
  emitOpened(deps, opened)
  return opened
}

/** @throws {Refusal} `forbidden` where the settings of the repo disable discussions and pull requests */
export function requireDiscussionsOf({ name, settings }: Pick<Repo, 'name' | 'settings'>): void {
  if (settings?.discussionsDisabled !== true) return
  throw new Refusal('forbidden', 'Discussions are disabled for this repo', {
    detail: `enable them in the settings of ${name}: discussionsDisabled`,
  })
}

/** Stores a discussion or pull request under the repo's next number; the caller emits the event. */
export function addDiscussion(
  deps: HubDeps,
  { repo: { id: repoId }, title, description = '', actorId, id }: OpenDiscussionInput,
  kind: Pick<Discussion, 'status' | 'isPullRequest' | 'base'>,
): { repo: Repo; discussion: Discussion; comment: Comment } {
  const { state, ids, clock } = deps
  checkTitle(title)
  checkLength(description)
  const current = requireRepo(deps, repoId)
  requireDiscussionsOf(current)
  const num = current.lastDiscussionNumber + 1
  const repo = state.repos.put({ ...current, lastDiscussionNumber: num })
  const discussion = state.discussions.put({
    id: id ?? ids.of('discussion', repoId).objectId(),
    repoId,
    num,
    title,
    authorId: actorId,
    pinned: false,
    createdAt: clock.now(),
    ...kind,
  })
  return { repo, discussion, comment: putComment(deps, { discussion, actorId }, description) }
}

export function emitOpened(
  deps: HubDeps,
  opened: { repo: Repo; discussion: Discussion; comment: Comment },
): void {
  const { repo, discussion, comment } = opened
  const actorId = discussion.authorId
  emitHubEvent(deps, repo, { scope: 'discussion', action: 'create', actorId, discussion, comment })
}

/**
 * Adds a comment and emits an event.
 * @throws {Refusal} `invalid` unless it has 1 to 65,536 characters, and when the discussion is full
 */
export function addComment(deps: HubDeps, input: DiscussionInput & { content: string }): Comment {
  checkContent(input.content)
  requireRoom(deps, input.discussion, input.content.length)
  const comment = putComment(deps, input, input.content)
  emitComment(deps, input, 'create', comment)
  return comment
}

/**
 * Edits a comment, keeps its earlier version, and emits an event.
 * @throws {Refusal} `invalid` as {@link addComment}, `not_found` for an unknown comment, `conflict` for a hidden one
 */
export function editComment(
  deps: HubDeps,
  input: DiscussionInput & { commentId: string; content: string },
): Comment {
  checkContent(input.content)
  const before = requireComment(deps, input.discussion, input.commentId)
  if (before.hidden === true) throw new Refusal('conflict', 'This comment is hidden')
  requireRoom(deps, input.discussion, input.content.length)
  const at = deps.clock.now()
  const after = {
    ...before,
    content: input.content,
    editedAt: at,
    history: [
      ...(before.history ?? []),
      { content: before.content, at: before.editedAt ?? before.createdAt },
    ].slice(-longestHistory),
  }
  deps.state.discussionEvents.put(after)
  emitComment(deps, input, 'update', after)
  return after
}

/**
 * Hides a comment permanently and emits an event, once.
 * @throws {Refusal} `not_found` for an unknown comment
 */
export function hideComment(
  deps: HubDeps,
  input: DiscussionInput & { commentId: string },
): Comment {
  const before = requireComment(deps, input.discussion, input.commentId)
  if (before.hidden === true) return before
  const after = { ...before, hidden: true }
  deps.state.discussionEvents.put(after)
  emitComment(deps, input, 'update', after)
  return after
}

/**
 * Changes the title and emits an event unless it is the same.
 * @throws {Refusal} `invalid` for a title outside of 3 to 200 characters
 */
export function changeTitle(deps: HubDeps, input: DiscussionInput & { title: string }): Discussion {
  const { discussion, title } = input
  checkTitle(title)
  if (title === discussion.title) return discussion
  requireRoom(deps, discussion)
  const changed = deps.state.discussions.put({ ...discussion, title })
  noteEvent(deps, input, { type: 'title-change', from: discussion.title, to: title })
  emitUpdated(deps, changed, input.actorId)
  return changed
}

/**
 * Closes or reopens a discussion, or marks a draft pull request as ready, and emits an event. A comment is added first,
 * with its own event.
 * @throws {Refusal} `invalid` for any other status, or the one it has; `conflict` once it is merged
 */
export function changeStatus(
  deps: HubDeps,
  input: DiscussionInput & { status: string; comment?: string },
): Discussion {
  const { discussion, status } = input
  if (status !== 'open' && status !== 'closed') {
    throw new Refusal('invalid', `Invalid status: ${status}. It can be open or closed.`)
  }
  if (discussion.status === 'merged') {
    throw new Refusal('conflict', 'A merged pull request cannot be opened or closed')
  }
  if (discussion.headCommitId !== undefined && status === 'open') {
    throw new Refusal('conflict', 'A pull request cannot be reopened after its ref was deleted')
  }
  if (discussion.status === status) {
    throw new Refusal('invalid', `This discussion is already ${status}`)
  }
  requireRoom(deps, discussion)
  if (input.comment !== undefined) addComment(deps, { ...input, content: input.comment })
  const changed = deps.state.discussions.put({ ...discussion, status })
  noteEvent(deps, input, { type: 'status-change', status })
  emitUpdated(deps, changed, input.actorId)
  return changed
}

/** Pins a discussion above the others, or unpins it, and emits an event unless nothing changes. */
export function pinDiscussion(
  deps: HubDeps,
  { discussion, actorId, pinned }: DiscussionInput & { pinned: boolean },
): Discussion {
  if (discussion.pinned === pinned) return discussion
  const changed = deps.state.discussions.put({ ...discussion, pinned })
  emitUpdated(deps, changed, actorId)
  return changed
}

/**
 * Deletes a discussion with its timeline and emits an event. A pull request's ref is deleted too, with its own event. The
 * number is not reused.
 */
export function deleteDiscussion(deps: HubDeps, { discussion, actorId }: DiscussionInput): void {
  const { state } = deps
  const repo = requireRepo(deps, discussion.repoId)
  for (const event of state.discussionEvents.group('discussion', discussion.id)) {
    state.discussionEvents.delete(event.id)
  }
  state.discussions.delete(discussion.id)
  const ref = pullRequestRef(discussion.num)
  const cut = own(repo.refs, ref) === undefined ? undefined : moveRefs(deps, repo, { [ref]: null })
  emitHubEvent(deps, cut?.repo ?? repo, {
    scope: 'discussion',
    action: 'delete',
    actorId,
    discussion,
  })
  if (cut === undefined) return
  emitHubEvent(deps, cut.repo, {
    scope: 'repo.content',
    action: 'update',
    actorId,
    updatedRefs: cut.updatedRefs,
  })
}

/** @throws {Refusal} `not_found` */
export function requireDiscussion(
  { state }: Pick<HubDeps, 'state'>,
  repo: Repo,
  num: number,
): Discussion {
  const discussion = state.discussions.find('number', `${repo.id}/${num}`)
  if (discussion !== undefined) return discussion
  throw new Refusal('not_found', `Discussion not found: ${num}`, {
    detail: `the last number in ${repo.name} is ${repo.lastDiscussionNumber}`,
  })
}

/**
 * Finds a comment of this discussion.
 * @throws {Refusal} `not_found`, also for timeline entries other than comments
 */
export function requireComment(
  { state }: Pick<HubDeps, 'state'>,
  discussion: Discussion,
  commentId: string,
): Comment {
  const event = state.discussionEvents.get(commentId)
  if (event?.discussionId === discussion.id && isComment(event)) return event
  throw new Refusal('not_found', `Comment not found: ${commentId}`)
}

/** Lists the comments of a discussion in order, the opening one first. */
export function listComments({ state }: Pick<HubDeps, 'state'>, discussion: Discussion): Comment[] {
  return state.discussionEvents.group('discussion', discussion.id).filter(isComment)
}

export function requireRepo({ state }: Pick<HubDeps, 'state'>, id: string): Repo {
  const repo = state.repos.get(id)
  if (repo === undefined) throw new Error(`the repo ${id} of a discussion is missing`)
  return repo
}

/**
 * Checks that a timeline can take another entry: a discussion is read and sent as a whole.
 * @param characters of the new text
 */
function requireRoom(
  { state }: Pick<HubDeps, 'state'>,
  { num, id }: Discussion,
  characters = 0,
): void {
  const timeline = state.discussionEvents.group('discussion', id)
  if (timeline.length >= mostTimelineEntries) {
    throw new Refusal(
      'invalid',
      `Discussion ${num} is full: it has ${timeline.length} entries, the most that one takes. Open another one.`,
    )
  }
  const taken = timeline.reduce((sum, entry) => sum + lengthOf(entry), 0)
  if (taken + characters <= longestDiscussion) return
  throw new Refusal(
    'invalid',
    `Discussion ${num} is full: its comments have ${taken} characters with their earlier versions, of at most ${longestDiscussion}. Open another one.`,
  )
}

function lengthOf({ content = '', history = [] }: DiscussionEvent): number {
  return history.reduce((sum, earlier) => sum + earlier.content.length, content.length)
}

/** Adds an entry to the timeline. */
export function noteEvent(
  { state, ids, clock }: Pick<HubDeps, 'state' | 'ids' | 'clock'>,
  { discussion, actorId }: DiscussionInput,
  entry: Pick<DiscussionEvent, 'type' | 'status' | 'from' | 'to'>,
): void {
  state.discussionEvents.put({
    id: ids.of('discussion event', discussion.id).objectId(),
    discussionId: discussion.id,
    authorId: actorId,
    createdAt: clock.now(),
    ...entry,
  })
}

export function emitUpdated(deps: HubDeps, discussion: Discussion, actorId: string): void {
  const repo = requireRepo(deps, discussion.repoId)
  emitHubEvent(deps, repo, { scope: 'discussion', action: 'update', actorId, discussion })
}

function emitComment(
  deps: HubDeps,
  { discussion, actorId }: DiscussionInput,
  action: Exclude<EventAction, 'delete' | 'move'>,
  comment: Comment,
): void {
  const repo = requireRepo(deps, discussion.repoId)
  emitHubEvent(deps, repo, { scope: 'discussion.comment', action, actorId, discussion, comment })
}

function putComment(
  { state, ids, clock }: Pick<HubDeps, 'state' | 'ids' | 'clock'>,
  { discussion, actorId }: DiscussionInput,
  content: string,
): Comment {
  const comment: Comment = {
    id: ids.of('comment', discussion.id).objectId(),
    discussionId: discussion.id,
    type: 'comment',
    authorId: actorId,
    createdAt: clock.now(),
    content,
  }
  state.discussionEvents.put(comment)
  return comment
}

function isComment(event: DiscussionEvent): event is Comment {
  return event.type === 'comment'
}

function checkTitle(title: string): void {
  // The title becomes the message of the merge commit.
  checkMessage('title', title)
  const { min, max } = titleLength
  if (title.length < min || title.length > max) {
    throw new Refusal(
      'invalid',
      `A title has ${min} to ${max} characters; this one has ${title.length}`,
    )
  }
}

function checkContent(content: string): void {
  if (content === '') throw new Refusal('invalid', 'A comment cannot be empty')
  checkLength(content)
}

function checkLength(content: string): void {
  if (content.length > longestComment) {
    throw new Refusal(
      'invalid',
      `A comment has at most ${longestComment} characters; this one has ${content.length}`,
    )
  }
}
