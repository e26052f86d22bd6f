import type { State } from './state.ts'
import type { User } from './entities/account-entities.ts'
import type { TrustedPublisher } from './entities/oauth-entities.ts'

/**
 * User of the hub's own that a trusted publisher of a repo acts as. It is named after the publisher and has no account:
 * no list contains it, and no user can sign in as it.
 */
export function systemUserOf({ id, name, createdAt }: TrustedPublisher): User {
  return {
    id,
    username: `[OIDC] ${name}`,
    fullname: `[OIDC] ${name}`,
    email: `${id}@oidc.invalid`,
    emailVerified: false,
    isPro: false,
    canPay: false,
    createdAt,
  }
}

/** Finds a user by id, including the system users of trusted publishers. */
export function findActor(
  state: Pick<State, 'users' | 'trustedPublishers'>,
  id: string,
): User | undefined {
  const user = state.users.get(id)
  if (user !== undefined) return user
  const publisher = state.trustedPublishers.get(id)
  return publisher === undefined ? undefined : systemUserOf(publisher)
}
