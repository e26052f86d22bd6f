import type { Ids } from '../../server/core/ids.ts'
import type { Role } from '../../server/contract/words/account-words.ts'
import type { Organization, User } from '../../server/store/entities/account-entities.ts'
import type { State } from '../../server/store/state.ts'
import { testStart } from './settings.ts'

/** Functions that put users and organizations into a state. */
export function accountsIn({
  ids,
  state,
}: {
  ids: Pick<Ids, 'objectId'>
  state: Pick<State, 'users' | 'organizations'>
}) {
  const user = (username: string, more: Partial<User> = {}): User =>
    state.users.put({
      id: ids.objectId(),
      username,
      fullname: `${username[0]?.toUpperCase()}${username.slice(1)} Example`,
      email: `${username}@example.com`,
      emailVerified: true,
      isPro: false,
      canPay: false,
      createdAt: testStart,
      ...more,
    })
  const organization = (
    name: string,
    members: [User, Role][],
    more: Partial<Organization> = {},
  ): Organization =>
    state.organizations.put({
      id: ids.objectId(),
      name,
      fullname: `${name} Inc.`,
      plan: 'free',
      canPay: false,
      members: members.map(([{ id }, role]) => ({ userId: id, role })),
      resourceGroups: [],
      securityRestrictions: [],
      createdAt: testStart,
      ...more,
    })
  return { user, organization }
}
