import { isoTime } from '../../core/time.ts'
import type { AppRef, OrganizationRef, UserRef } from '../../contract/control.ts'
import type { Deps } from '../deps.ts'
import { avatarUrl } from './account-facts.ts'
import { findActor } from '../../store/system-user.ts'

export type ViewDeps = Pick<Deps, 'state' | 'objects' | 'settings' | 'clock'>

/** Returns a member with an ISO time, or none. */
export function isoMember<K extends string>(key: K, ms: number | undefined): { [P in K]?: string } {
  return (ms === undefined ? {} : { [key]: isoTime(ms) }) as { [P in K]?: string }
}

/** Picks the members of `source` that are present. */
export function present<T extends object, K extends keyof T>(
  source: T,
  ...keys: K[]
): { [P in K]?: Exclude<T[P], undefined> } {
  const entries = keys.flatMap((key) => (source[key] === undefined ? [] : [[key, source[key]]]))
  return Object.fromEntries(entries) as { [P in K]?: Exclude<T[P], undefined> }
}

/** Describes a user; a deleted user has only its id. */
export function userRef(deps: ViewDeps, id: string): UserRef {
  const user = findActor(deps.state, id)
  const username = user?.username ?? 'deleted'
  return { id, username, avatarUrl: avatarUrl(deps.settings.baseUrl, username, user?.avatarUrl) }
}

/** Describes a user or an organization in the same shape. */
export function accountRef(deps: ViewDeps, id: string): UserRef {
  const organization = deps.state.organizations.get(id)
  if (organization === undefined) return userRef(deps, id)
  const { name, avatarUrl: own } = organization
  return { id, username: name, avatarUrl: avatarUrl(deps.settings.baseUrl, name, own) }
}

export function appRef({ state }: ViewDeps, clientId: string): AppRef {
  return { clientId, name: state.apps.get(clientId)?.name ?? clientId }
}

export function organizationRef({ state }: ViewDeps, id: string): OrganizationRef {
  return { id, name: state.organizations.get(id)?.name ?? 'deleted' }
}

/** Returns the name of a user or organization. */
export function accountName({ state }: ViewDeps, id: string): string {
  return findActor(state, id)?.username ?? state.organizations.get(id)?.name ?? 'deleted'
}
