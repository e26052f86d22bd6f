import type { DiscussionsResponse, DiscussionsQuery } from '../../contract/hub-discussions.ts'
import type { Discussion, Repo } from '../../store/entities/hub-entities.ts'
import { nameKey } from '../../store/state.ts'
import type { HubDeps } from '../hub-deps.ts'
import { summarizeDiscussion } from './discussion-view.ts'
import { listComments } from './discussions.ts'
import { summarizeReactions } from './reactions.ts'

/** Discussions on a page, as on the hub. */
const pageSize = 50

/** Lists a page of a repo's discussions and pull requests, the newest first. */
export function listDiscussions(
  deps: Pick<HubDeps, 'state'>,
  repo: Repo,
  query: DiscussionsQuery,
): DiscussionsResponse {
  const { p: page = 0, type = 'all', status = 'all', author, search = '' } = query
  const sort = query.sort ?? repo.settings?.discussionsSorting
  const authorId =
    author === undefined ? undefined : deps.state.users.find('name', nameKey(author))?.id
  const sought = search.toLowerCase()
  const matching = deps.state.discussions
    .group('repo', repo.id)
    .filter(
      (discussion) =>
        (type === 'all' || discussion.isPullRequest === (type === 'pull_request')) &&
        (author === undefined || discussion.authorId === authorId) &&
        (sought === '' || discussion.title.toLowerCase().includes(sought)),
    )
    .toReversed()
  const listed =
    status === 'all' ? matching : matching.filter((one) => isClosed(one) === (status === 'closed'))
  const start = page * pageSize
  const ordered = sort === 'reactions' ? byReactions(deps, listed) : listed
  return {
    discussions: ordered
      .slice(start, start + pageSize)
      .map((discussion) => summarizeDiscussion(deps, repo, discussion)),
    count: listed.length,
    start,
    numClosedDiscussions: matching.filter(isClosed).length,
  }
}

/** Returns whether a filter by status counts it as closed. */
function isClosed({ status }: Discussion): boolean {
  return status === 'closed' || status === 'merged'
}

function byReactions(
  deps: Pick<HubDeps, 'state'>,
  discussions: readonly Discussion[],
): Discussion[] {
  const counted = discussions.map((discussion) => {
    const comments = listComments(deps, discussion)
    return { discussion, users: summarizeReactions(deps, comments).numReactionUsers }
  })
  return counted
    .toSorted((one, other) => other.users - one.users)
    .map(({ discussion }) => discussion)
}
