import type { State } from './state.ts'

/** Names of users, for suggestions. */
export function* usernames({ users }: Pick<State, 'users'>): Iterable<string> {
  for (const { username } of users.values()) yield username
}

/** Names of organizations, for suggestions. */
export function* organizationNames({
  organizations,
}: Pick<State, 'organizations'>): Iterable<string> {
  for (const { name } of organizations.values()) yield name
}
