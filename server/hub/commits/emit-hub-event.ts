import { omitUndefined } from '../../core/omit-undefined.ts'
import type { Discussion, DiscussionEvent, Repo } from '../../store/entities/hub-entities.ts'
import type { HubDeps } from '../hub-deps.ts'
import type { HubEvent, UpdatedRef } from '../events/hub-event.ts'
import { spaceSubdomain } from '../files/repo-names.ts'

/** Timeline entry that a user wrote. */
export interface Comment extends DiscussionEvent {
  type: 'comment'
  authorId: string
  content: string
}

/** Parts of an event besides the repo, the time and the id. */
export interface HubEventParts extends Pick<
  HubEvent,
  'scope' | 'action' | 'updatedConfig' | 'updatedFiles' | 'updatedFilesTruncated' | 'movedTo'
> {
  actorId?: string | undefined
  updatedRefs?: UpdatedRef[]
  discussion?: Discussion
  comment?: Comment
}

/** Emits an event about a repo in its present state. Call it after the state has the change. */
export function emitHubEvent(
  deps: Pick<HubDeps, 'bus' | 'ids' | 'clock' | 'cause'>,
  repo: Repo,
  parts: HubEventParts,
): void {
  deps.bus.emit('hub.event', describeHubEvent(deps, repo, parts))
}

function describeHubEvent(
  deps: Pick<HubDeps, 'ids' | 'clock' | 'cause'>,
  repo: Repo,
  { actorId, discussion, comment, ...parts }: HubEventParts,
): HubEvent {
  return {
    id: deps.ids.of('event', repo.id).objectId(),
    at: deps.clock.now(),
    ...omitUndefined({ actorId }),
    cause: deps.cause ?? 'api',
    repo: describeRepo(repo, parts.scope),
    ...parts,
    ...(discussion === undefined ? {} : { discussion: describeDiscussion(discussion) }),
    ...(comment === undefined ? {} : { comment: describeComment(comment) }),
  }
}

function describeRepo(repo: Repo, scope: HubEvent['scope']): HubEvent['repo'] {
  const head = repo.refs['refs/heads/main']
  return {
    id: repo.id,
    type: repo.type,
    name: repo.name,
    private: repo.visibility !== 'public',
    ownerId: repo.ownerId,
    ...omitUndefined({ resourceGroupId: repo.resourceGroupId }),
    ...(scope.startsWith('repo') && head !== undefined ? { headSha: head } : {}),
    ...(repo.type === 'space' ? { subdomain: spaceSubdomain(repo.name) } : {}),
  }
}

function describeDiscussion(discussion: Discussion): NonNullable<HubEvent['discussion']> {
  const { id, num, title, status, isPullRequest, authorId, base, mergeCommitId } = discussion
  return {
    id,
    num,
    title,
    status,
    isPullRequest,
    authorId,
    ...omitUndefined({ base, mergeCommitId }),
  }
}

function describeComment(event: Comment): NonNullable<HubEvent['comment']> {
  const hidden = event.hidden === true
  return {
    id: event.id,
    authorId: event.authorId,
    ...(hidden ? {} : { content: event.content }),
    hidden,
  }
}
