import { Refusal } from '../core/refusal.ts'
import type { Organization, User } from '../state/entities/accounts.ts'
import type { App } from '../state/entities/oauth.ts'
import { nameKey, type State } from '../state/state.ts'

// What a request names: `path` says where, for the issue; without it the address itself names it.

/** @throws {Refusal} when there is no such user */
export function requireUser(
  { state }: { state: Pick<State, 'users'> },
  name: string,
  path?: string,
): User {
  const user = state.users.find('name', nameKey(name))
  return user ?? refuseUnknown('user', name, path)
}

/** @throws {Refusal} when there is no such organization */
export function requireOrganization(
  { state }: { state: Pick<State, 'organizations'> },
  name: string,
  path?: string,
): Organization {
  const organization = state.organizations.find('name', nameKey(name))
  return organization ?? refuseUnknown('organization', name, path)
}

/** @throws {Refusal} when no app has this client id */
export function requireApp(
  { state }: { state: Pick<State, 'apps'> },
  clientId: string,
  path?: string,
): App {
  return state.apps.get(clientId) ?? refuseUnknown('app', clientId, path)
}

/** Ids of the organizations that a request names. */
export function organizationIds(
  deps: { state: Pick<State, 'organizations'> },
  names: readonly string[] = [],
): string[] {
  return names.map((name, index) => requireOrganization(deps, name, `organizations[${index}]`).id)
}

function refuseUnknown(kind: string, name: string, path: string | undefined): never {
  const message = `There is no ${kind} ${name}.`
  if (path === undefined) throw new Refusal('not_found', message)
  throw new Refusal('invalid_request', message, [{ path, message }])
}
