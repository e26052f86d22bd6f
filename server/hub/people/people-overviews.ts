import type {
  OrganizationOverviewResponse,
  UserOverviewResponse,
} from '../../contract/hub-people.ts'
import { isoTime } from '../../core/time.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import type { Repo } from '../../store/entities/hub-entities.ts'
import { decide } from '../access/access.ts'
import { avatarAddress, paidPlan } from '../access/account-facts.ts'
import type { Principal } from '../access/principal.ts'
import type { HubDeps } from '../hub-deps.ts'
import { followedBy, isFollowing } from './follows.ts'
import { listLikes } from './likes.ts'
import { marksOn } from './marks.ts'
import { describePerson } from './person-view.ts'

type ViewDeps = Pick<HubDeps, 'state' | 'settings'>

/** Describes a user to a caller: private repos and collections count for those who see them. */
export function describeUser(
  deps: ViewDeps,
  principal: Principal,
  user: User,
): UserOverviewResponse {
  const { users, organizations } = followedBy(deps, user.id)
  return {
    ...describePerson(user),
    ...countsOf(deps, principal, user.id),
    numDiscussions: countDiscussions(deps, principal, user.id),
    numUpvotes: countUpvotes(deps, principal, user.id),
    numLikes: listLikes(deps, principal, user).length,
    numFollowing: users.length,
    numFollowingOrgs: organizations.length,
    orgs: deps.state.organizations
      .group('member', user.id)
      .map((organization) => ({ id: organization.id, ...describeName(organization) })),
    createdAt: isoTime(user.createdAt),
  }
}

/** Describes an organization to a caller. */
export function describeOrganization(
  deps: ViewDeps,
  principal: Principal,
  organization: Organization,
): OrganizationOverviewResponse {
  return {
    _id: organization.id,
    ...describeName(organization),
    type: 'org',
    ...paidPlan(organization),
    isVerified: false,
    ...countsOf(deps, principal, organization.id),
    numUsers: organization.members.length,
  }
}

function describeName({ name, fullname, avatarUrl }: Organization) {
  return { name, fullname, avatarUrl: avatarAddress(name, avatarUrl) }
}

function countsOf(deps: ViewDeps, principal: Principal, accountId: string) {
  const repos = deps.state.repos
    .group('owner', accountId)
    .filter((repo) => isSeen(deps, principal, repo))
  const numberOf = (type: Repo['type']) => repos.filter((repo) => repo.type === type).length
  return {
    numModels: numberOf('model'),
    numDatasets: numberOf('dataset'),
    numSpaces: numberOf('space'),
    numPapers: 0,
    numFollowers: marksOn(deps, 'follow', accountId).length,
    isFollowing: isFollowing(deps, principal, accountId),
  }
}

function countDiscussions(deps: ViewDeps, principal: Principal, userId: string): number {
  let number = 0
  for (const { authorId, repoId } of deps.state.discussions.values()) {
    if (authorId !== userId) continue
    const repo = deps.state.repos.get(repoId)
    if (repo !== undefined && isSeen(deps, principal, repo)) number += 1
  }
  return number
}

function countUpvotes(deps: ViewDeps, principal: Principal, userId: string): number {
  return deps.state.hubCollections
    .group('owner', userId)
    .filter(
      (collection) => decide(deps, principal, { action: 'collection.read', collection }).allowed,
    )
    .reduce((sum, { id }) => sum + marksOn(deps, 'upvote', id).length, 0)
}

function isSeen(deps: ViewDeps, principal: Principal, repo: Repo): boolean {
  return decide(deps, principal, { action: 'repo.read', repo }).allowed
}
