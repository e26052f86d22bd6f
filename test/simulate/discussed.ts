import type { State } from '../../server/store/state.ts'
import type { Discussion, KnownComment } from './world/discussions.ts'
import type { World } from './world/world.ts'

/** Finds a comment that was confirmed, and is not where and as it was. */
export function findLostComment({ facts }: World, state: State): string | undefined {
  for (const discussion of facts.discussions.all) {
    if (!isThere(state, discussion)) continue
    const places = new Map(
      state.discussionEvents.group('discussion', discussion.id).map((event, at) => [event.id, at]),
    )
    for (const comment of discussion.comments) {
      const place = places.get(comment.id)
      const problem =
        place === undefined ? 'is gone' : describeChange(state, comment, discussion, places)
      if (problem !== undefined) return `${comment.id} of ${discussion.name} ${problem}`
    }
  }
  return undefined
}

const isThere = ({ discussions }: State, { id, standing }: Discussion) =>
  standing === 'live' && discussions.has(id)

function describeChange(
  state: State,
  comment: KnownComment,
  { comments }: Discussion,
  places: ReadonlyMap<string, number>,
): string | undefined {
  const place = places.get(comment.id) ?? 0
  const isBefore = ({ id, confirmedAt }: KnownComment) =>
    confirmedAt < comment.sentAt && (places.get(id) ?? 0) > place
  if (comments.some(isBefore)) return 'is before one that was confirmed before it was sent'
  if (comment.isUnsure) return undefined
  const { content, hidden = false, reactions = [] } = state.discussionEvents.get(comment.id) ?? {}
  if (content !== comment.text) return `has the text ${content} in place of ${comment.text}`
  if (hidden !== comment.isHidden) return `is ${hidden ? '' : 'not '}hidden`
  const count = reactions.reduce((sum, { userIds }) => sum + userIds.length, 0)
  return count === comment.reactions.size ? undefined : `has ${count} reactions`
}

/** Finds a discussion that is not as its last change was confirmed. */
export function findWrongStatus({ facts }: World, state: State): string | undefined {
  for (const discussion of facts.discussions.all) {
    const { id, name, standing, isChanging, status, title, repo } = discussion
    if (isChanging || standing === 'unsure') continue
    const stored = state.discussions.get(id)
    const isKept = facts.repos.includes(repo) && repo.standing === 'live'
    if (stored === undefined && (standing === 'gone' || !isKept)) continue
    if (standing === 'gone') return `${name} was deleted, and exists`
    if (stored === undefined) return `${name} is gone`
    if (stored.status === status && stored.title === title) continue
    return `${name} is ${stored.status} in place of ${status}: ${stored.title}`
  }
  return undefined
}

/** Finds a repo with a number that no discussion has, or with a larger one than its last. */
export function findGap({ facts }: World, state: State): string | undefined {
  const { id: ownerId = '' } = state.organizations.find('name', 'acme') ?? {}
  for (const { id, name, lastDiscussionNumber: last } of state.repos.group('owner', ownerId)) {
    const numbers = new Set(state.discussions.group('repo', id).map(({ num }) => num))
    for (let num = 1; num <= last; num++) {
      const isKnown = numbers.has(num) || facts.discussions.deleted.has(`${id}/${num}`)
      if (!isKnown) return `${name} has no discussion ${num} of ${last}`
    }
    if (Math.max(0, ...numbers) > last) return `the last number of ${name} is ${last}`
  }
  return undefined
}
