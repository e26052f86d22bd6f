import type { PersonResponse } from '../../contract/hub-people.ts'
import type { User } from '../../store/entities/account-entities.ts'
import { avatarAddress } from '../access/account-facts.ts'

/** Describes a user as lists of the hub's API do. */
export function describePerson({ id, username, fullname, avatarUrl, isPro }: User): PersonResponse {
  return {
    _id: id,
    user: username,
    fullname,
    avatarUrl: avatarAddress(username, avatarUrl),
    type: 'user',
    isPro,
  }
}
