import { omitUndefined } from '../../core/omit-undefined.ts'
import type { App } from '../../store/entities/oauth-entities.ts'
import { requiredOrganizationIds } from '../../store/required-organizations.ts'
import type { State } from '../../store/state.ts'
import type { Cast, CastApp } from './cast.ts'

type Accounts = Pick<State, 'users' | 'apps' | 'organizations'>

/** Builds the cast from the state of the sandbox. */
export function castOfState(state: Accounts): Cast {
  const usernameOf = (id: string) => state.users.get(id)?.username ?? ''
  return {
    users: Array.from(state.users.values(), ({ username, email, emailVerified, password }) => ({
      username,
      email,
      emailVerified,
      hasPassword: password !== undefined,
      ...omitUndefined({ password }),
    })),
    apps: Array.from(state.apps.values(), (app) => castApp(state, app)),
    organizations: Array.from(state.organizations.values(), ({ name, plan, members }) => ({
      name,
      plan,
      members: members.map(({ userId }) => usernameOf(userId)),
    })),
  }
}

function castApp({ organizations }: Pick<State, 'organizations'>, app: App): CastApp {
  const { id, name, clientSecret, redirectUris, scopes, privileges, organizationId } = app
  const nameOf = (organization: string) => organizations.get(organization)?.name
  return {
    clientId: id,
    name,
    redirectUris,
    scopes,
    mayExchange: privileges.includes('token-exchange'),
    ...omitUndefined({
      clientSecret,
      organization: organizationId === undefined ? undefined : nameOf(organizationId),
      onlyFor: requiredOrganizationIds(app)?.flatMap((organization) => nameOf(organization) ?? []),
    }),
  }
}
