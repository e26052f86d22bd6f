import { Refusal } from '../core/refusal.ts'
import { suggestion } from '../contract/suggestion.ts'
import type { Organization, User } from './entities/account-entities.ts'
import type { App } from './entities/oauth-entities.ts'
import { organizationNames, usernames } from './names-of-accounts.ts'
import { nameKey, type State } from './state.ts'

// Looks up a name of a request. `path` is its place, for the issue; absent if the URL itself has the name.

/** @throws {Refusal} for an unknown user */
export function requireUser(
  { state }: { state: Pick<State, 'users'> },
  name: string,
  path?: string,
): User {
  const user = state.users.find('name', nameKey(name))
  return user ?? refuseUnknown('user', name, path, suggestion(name, usernames(state)))
}

/** @throws {Refusal} for an unknown organization */
export function requireOrganization(
  { state }: { state: Pick<State, 'organizations'> },
  name: string,
  path?: string,
): Organization {
  const organization = state.organizations.find('name', nameKey(name))
  return (
    organization ??
    refuseUnknown('organization', name, path, suggestion(name, organizationNames(state)))
  )
}

/** @throws {Refusal} for an unknown client id */
export function requireApp(
  { state }: { state: Pick<State, 'apps'> },
  clientId: string,
  path?: string,
): App {
  return state.apps.get(clientId) ?? refuseUnknown('app', clientId, path, appHint(state, clientId))
}

/** Returns the ids of the organizations that a request names. */
export function organizationIds(
  deps: { state: Pick<State, 'organizations'> },
  names: readonly string[] = [],
): string[] {
  return names.map((name, index) => requireOrganization(deps, name, `organizations[${index}]`).id)
}

/** Suggests a name or client id for an unknown one; for the name of an app, its client id. */
export function appHint({ apps }: Pick<State, 'apps'>, wanted: string): string {
  const key = nameKey(wanted)
  for (const { id, name } of apps.values()) {
    if (nameKey(name) === key) return ` (the client id of ${name} is ${id})`
  }
  return suggestion(
    wanted,
    [...apps.values()].flatMap(({ id, name }) => [name, id]),
  )
}

function refuseUnknown(kind: string, name: string, path: string | undefined, hint: string): never {
  const message = `There is no ${kind} ${name}${hint}.`
  if (path === undefined) throw new Refusal('not_found', message)
  throw new Refusal('invalid', message, { issues: [{ path, message }] })
}
