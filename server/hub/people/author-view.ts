import type { AuthorResponse } from '../../contract/hub-people.ts'
import { avatarAddress, paidPlan } from '../access/account-facts.ts'
import type { Principal } from '../access/principal.ts'
import type { HubDeps } from '../hub-deps.ts'
import { isFollowing } from './follows.ts'
import { marksOn } from './marks.ts'

/** Describes the user or organization that owns something; one that is gone has its id as its name. */
export function describeAuthor(
  deps: Pick<HubDeps, 'state'>,
  principal: Principal,
  id: string,
): AuthorResponse {
  const user = deps.state.users.get(id)
  const organization = deps.state.organizations.get(id)
  const name = user?.username ?? organization?.name ?? id
  const account = user ?? organization
  return {
    _id: id,
    name,
    fullname: account?.fullname ?? name,
    avatarUrl: avatarAddress(name, account?.avatarUrl),
    type: user === undefined ? 'org' : 'user',
    ...(user === undefined ? {} : { isPro: user.isPro }),
    ...(organization === undefined ? {} : paidPlan(organization)),
    followerCount: marksOn(deps, 'follow', id).length,
    isUserFollowing: isFollowing(deps, principal, id),
    isHf: false,
    isHfAdmin: false,
    isMod: false,
  }
}
