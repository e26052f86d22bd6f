import type { State } from './state.ts'

/** What users are called, for telling which one was meant. */
export function* usernames({ users }: Pick<State, 'users'>): Iterable<string> {
  for (const { username } of users.values()) yield username
}

/** What organizations are called. */
export function* organizationNames({
  organizations,
}: Pick<State, 'organizations'>): Iterable<string> {
  for (const { name } of organizations.values()) yield name
}
