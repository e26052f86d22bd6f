import type {
  DiscussionResponse,
  DiscussionAuthorResponse,
  DiscussionEventResponse,
  DiscussionSummaryResponse,
} from '../../contract/hub-discussions.ts'
import { omitUndefined } from '../../core/omit-undefined.ts'
import { isoTime } from '../../core/time.ts'
import type { Discussion, DiscussionEvent, Repo } from '../../store/entities/hub-entities.ts'
import { avatarAddress } from '../access/account-facts.ts'
import type { HubDeps } from '../hub-deps.ts'
import { commentHtml } from './comment-html.ts'
import { listConflicts } from './pull-requests.ts'
import { describeReactions, summarizeReactions } from './reactions.ts'
import { findActor } from '../../store/system-user.ts'
import { diffPullRequest } from './pull-request-diff.ts'
import { pullRequestHead } from './pull-request-ref.ts'
import { gitTypeOf } from '../files/repo-names.ts'

// Discussions as the hub's API describes them.

type ViewDeps = Pick<HubDeps, 'state'>

/** Text of a hidden comment, for everybody. */
const hiddenText = 'This comment has been hidden'

/** Describes a discussion in a list. */
export function summarizeDiscussion(
  deps: ViewDeps,
  repo: Repo,
  discussion: Discussion,
): DiscussionSummaryResponse {
  const { id, authorId } = discussion
  const events = deps.state.discussionEvents.group('discussion', id)
  const comments = events.filter(({ type }) => type === 'comment')
  const isUser = deps.state.users.has(repo.ownerId)
  return {
    ...describeHead(deps, repo, discussion),
    numComments: comments.length,
    ...summarizeReactions(deps, comments),
    repoOwner: {
      name: repo.name.slice(0, repo.name.indexOf('/')),
      type: isUser ? 'user' : 'org',
      isParticipating: comments.some((comment) => comment.authorId === repo.ownerId),
      isDiscussionAuthor: authorId === repo.ownerId,
    },
  }
}

/** Describes what a discussion shows in a list and by itself. */
function describeHead(deps: ViewDeps, repo: Repo, discussion: Discussion) {
  const { num, title, status, isPullRequest, createdAt, pinned, authorId } = discussion
  return {
    num,
    title,
    status,
    isPullRequest,
    createdAt: isoTime(createdAt),
    pinned,
    ...omitUndefined({ author: describeAuthor(deps, authorId) }),
    repo: { name: repo.name, type: gitTypeOf(repo) },
  }
}

/**
 * Describes a discussion with its timeline.
 * @param withDiff also with the diff of a pull request
 */
export function describeDiscussion(
  deps: Pick<HubDeps, 'state' | 'objects'>,
  repo: Repo,
  discussion: Discussion,
  withDiff: boolean,
): DiscussionResponse {
  const events = deps.state.discussionEvents
    .group('discussion', discussion.id)
    .map((event) => describeEvent(deps, repo, event))
  const answer = {
    _id: discussion.id,
    ...describeHead(deps, repo, discussion),
    locked: false,
    collection: 'discussions' as const,
    events,
  }
  const { isPullRequest, base = 'refs/heads/main', mergeCommitId } = discussion
  if (!isPullRequest) return { ...answer, isReport: false }
  const headCommitId = pullRequestHead(repo, discussion)
  const refDeleted = discussion.headCommitId !== undefined
  return {
    ...answer,
    changes: { base, ...omitUndefined({ mergeCommitId, headCommitId }), refDeleted },
    filesWithConflicts: listConflicts(deps, discussion),
    ...(withDiff && { diff: diffPullRequest(deps, repo, discussion) }),
  }
}

/** Describes an entry of the timeline. */
export function describeEvent(
  deps: ViewDeps,
  repo: Repo,
  event: DiscussionEvent,
): DiscussionEventResponse {
  const { id, type, createdAt, authorId } = event
  const author = describeAuthor(deps, authorId)
  return {
    id,
    type,
    createdAt: isoTime(createdAt),
    ...(author !== undefined && { author: { ...author, ...standing(deps, repo, authorId) } }),
    data: type === 'comment' ? describeComment(deps, event, author) : dataOf(event),
  }
}

function dataOf({ status, from, to, subject, oid }: DiscussionEvent) {
  return omitUndefined({ status, from, to, subject, oid })
}

function describeComment(
  deps: ViewDeps,
  event: DiscussionEvent,
  author: DiscussionAuthorResponse | undefined,
): DiscussionEventResponse['data'] {
  const { content = '', hidden = false, createdAt, editedAt, history = [] } = event
  const version = (raw: string, at: number) => ({
    raw,
    html: commentHtml(raw),
    updatedAt: isoTime(at),
    ...omitUndefined({ author }),
  })
  return {
    edited: editedAt !== undefined,
    hidden,
    latest: version(hidden ? hiddenText : content, editedAt ?? createdAt),
    history: hidden ? [] : history.map((earlier) => version(earlier.content, earlier.at)),
    numEdits: history.length,
    // Only its author edits a comment.
    editors: author === undefined ? [] : [author.name],
    editorAvatarUrls: author === undefined ? [] : [author.avatarUrl],
    reactions: describeReactions(deps, event),
    isReport: false,
  }
}

function describeAuthor(
  { state }: ViewDeps,
  userId: string | undefined,
): DiscussionAuthorResponse | undefined {
  const user = userId === undefined ? undefined : findActor(state, userId)
  if (user === undefined) return undefined
  const { id, username, fullname, isPro } = user
  return {
    _id: id,
    name: username,
    fullname,
    avatarUrl: avatarAddress(username, user.avatarUrl),
    type: 'user',
    isPro,
    isHf: false,
    isHfAdmin: false,
    isMod: false,
  }
}

/** Describes how a user stands to the repo of a discussion. */
function standing({ state }: ViewDeps, { ownerId }: Repo, userId: string | undefined) {
  const members = state.organizations.get(ownerId)?.members ?? []
  return {
    isOwner: userId === ownerId,
    isOrgMember: members.some((member) => member.userId === userId),
  }
}
