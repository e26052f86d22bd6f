import { omitUndefined } from '../core/omit-undefined.ts'
import type { Cast } from '../lab/demos/cast.ts'
import type { Connection } from './connect.ts'

/** Reads the possible users, apps and organizations of a demo. */
export async function readCast({ call }: Pick<Connection, 'call'>): Promise<Cast> {
  const all = { query: { limit: 1000 } }
  const [users, apps, organizations, fixtures] = await Promise.all([
    call('GET users', all),
    call('GET apps', all),
    call('GET organizations', all),
    call('GET fixtures'),
  ])
  // Passwords of users created later are unknown.
  const passwords = new Map(fixtures.users.map(({ username, password }) => [username, password]))
  return {
    users: users.items.map(({ username, email, emailVerified, hasPassword }) => ({
      username,
      email,
      emailVerified,
      hasPassword,
      ...omitUndefined({ password: passwords.get(username) }),
    })),
    apps: apps.items.map(({ authorizedOrganizations, privileges, ...app }) => ({
      clientId: app.clientId,
      name: app.name,
      redirectUris: app.redirectUris,
      scopes: app.scopes,
      mayExchange: privileges.includes('token-exchange'),
      ...omitUndefined({
        clientSecret: app.clientSecret,
        organization: app.organization,
        onlyFor: authorizedOrganizations,
      }),
    })),
    organizations: organizations.items.map(({ name, plan, members }) => ({
      name,
      plan,
      members: members.map(({ user }) => user.username),
    })),
  }
}
