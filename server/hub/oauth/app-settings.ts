import type { Deps } from '../deps.ts'
import { parseDuration } from '../../contract/durations.ts'
import type { Issue } from '../../core/config-error.ts'
import { suggestion } from '../../contract/suggestion.ts'
import type { Organization, User } from '../../store/entities/account-entities.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { organizationNames, usernames } from '../../store/names-of-accounts.ts'
import { nameKey } from '../../store/state.ts'
import { unusableRedirectUri } from './redirect-uri.ts'
import { scopeProblem } from './scope.ts'
import { longestTokenMs, shortestTokenMs } from '../../contract/fixtures/limits.ts'

/** Returns every mistake in the settings of an app. */
export function checkSettings({
  redirectUris = [],
  scopes,
  tokenDuration,
}: {
  redirectUris?: string[]
  scopes?: string[]
  tokenDuration?: string | null
}): Issue[] {
  const issues: Issue[] = []
  for (const [index, uri] of redirectUris.entries()) {
    const problem = unusableRedirectUri(uri)
    if (problem !== undefined) {
      issues.push({ path: `redirectUris[${index}]`, message: `${uri} cannot be used: ${problem}.` })
    }
  }
  const unreadable = scopeProblem(scopes)
  if (unreadable !== undefined) {
    issues.push({ path: 'scopes', message: `invalid_scope: ${unreadable}.` })
  }
  if (typeof tokenDuration === 'string') {
    const ms = parseDuration(tokenDuration)
    if (ms === undefined || ms < shortestTokenMs || ms > longestTokenMs) {
      issues.push({
        path: 'tokenDuration',
        message: 'Use a duration from 1s to 30d, such as 8h.',
      })
    }
  }
  return issues
}

/** Returns what an app lacks for its privileges. */
export function checkPrivileges(app: App): Issue[] {
  if (!app.privileges.includes('token-exchange')) return []
  const issues: Issue[] = []
  if (app.organizationId === undefined) {
    issues.push({
      path: 'privileges',
      message: 'The privilege token-exchange requires an app that is bound to an organization.',
    })
  }
  if (app.clientSecret === undefined) {
    issues.push({
      path: 'privileges',
      message: 'The privilege token-exchange requires an app with a secret.',
    })
  }
  return issues
}

export function findOwner(
  { state }: Pick<Deps, 'state'>,
  name: string | undefined,
  issues: Issue[],
): User | undefined {
  if (name === undefined) return undefined
  const user = state.users.find('name', nameKey(name))
  if (user === undefined) {
    const hint = suggestion(name, usernames(state))
    issues.push({ path: 'owner', message: `There is no user ${name}${hint}.` })
  }
  return user
}

export function findOrganization(
  { state }: Pick<Deps, 'state'>,
  name: string | undefined,
  issues: Issue[],
  path = 'organization',
): Organization | undefined {
  if (name === undefined) return undefined
  const organization = state.organizations.find('name', nameKey(name))
  if (organization === undefined) {
    const hint = suggestion(name, organizationNames(state))
    issues.push({ path, message: `There is no organization ${name}${hint}.` })
  }
  return organization
}

/** Returns the ids of the organizations to whose members the app is restricted. */
export function findAuthorizedOrganizations(
  deps: Pick<Deps, 'state'>,
  names: readonly string[],
  issues: Issue[],
): string[] {
  return names.flatMap(
    (name, index) =>
      findOrganization(deps, name, issues, `authorizedOrganizations[${index}]`)?.id ?? [],
  )
}
