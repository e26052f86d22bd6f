import type { FixturesFile } from '../../server/contract/fixtures-types.ts'

export const redirectUri = 'http://localhost:5173/callback'

export const publicApp = '00000000-0000-4000-8000-000000000001'
export const exchangeApp = {
  id: '00000000-0000-4000-8000-000000000002',
  secret: 'sandbox_secret_of_the_bench',
}
export const userToken = 'hf_sandbox_alice'

/** Fixtures with one user, one organization, one repo, and an app of each kind. */
export const benchFixtures: FixturesFile = {
  users: [{ username: 'alice', tokens: [{ token: userToken, role: 'write' }] }],
  organizations: [
    { name: 'acme', plan: 'enterprise', members: [{ user: 'alice', role: 'admin' }] },
  ],
  apps: [
    {
      name: 'Public app',
      clientId: publicApp,
      redirectUris: [redirectUri],
      scopes: ['openid', 'profile', 'email'],
    },
    {
      name: 'Exchange app',
      clientId: exchangeApp.id,
      clientSecret: exchangeApp.secret,
      organization: 'acme',
      privileges: ['token-exchange'],
      scopes: ['openid', 'profile', 'email', 'read-repos'],
    },
  ],
  repos: [{ type: 'dataset', name: 'acme/corpus' }],
}
