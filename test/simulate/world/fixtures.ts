import { repoTypes } from '../../../server/contract/words/hub-words.ts'
import type { FixturesFile } from '../../../server/contract/fixtures-types.ts'
import { stored } from './xet-contents.ts'

export const redirectUri = 'http://localhost:5173/callback'

/** Apps of the simulated sandbox. */
export const apps = {
  public: { id: '00000000-0000-4000-8000-000000000001' },
  secret: { id: '00000000-0000-4000-8000-000000000002', secret: 'sandbox_secret_of_the_simulator' },
  exchange: {
    id: '00000000-0000-4000-8000-000000000003',
    secret: 'sandbox_exchange_of_the_simulator',
  },
} as const

/** Users with the token of each, and what they are in the organization `acme`. */
export const users = {
  alice: { token: 'hf_sandbox_alice', role: 'admin' },
  bob: { token: 'hf_sandbox_bob', role: 'write' },
  carol: { token: 'hf_sandbox_carol', role: 'read' },
  mallory: { token: 'hf_sandbox_mallory', role: undefined },
} as const
export type Role = 'admin' | 'write' | 'read'
export type UserName = keyof typeof users
export const userNames = Object.keys(users) as UserName[]

/** User who is in no step but `any requests`. */
export const outsider = {
  name: 'wanda',
  organization: 'labs',
  token: 'hf_sandbox_wanda',
  repo: 'thing',
} as const

export const scopes = ['openid', 'profile', 'email', 'read-repos', 'write-repos']

/** Few enough for each limit to be reached early. */
const caps = { requests: 200, auditRows: 200, consents: 20, snapshots: 5 }

export const fixtures: FixturesFile = {
  config: { caps },
  users: [
    ...Object.entries(users).map(([username, { token }]) => ({ username, token })),
    { username: outsider.name, token: outsider.token },
  ].map(({ username, token }) => ({ username, tokens: [{ token, role: 'write' }] })),
  organizations: [
    {
      name: 'acme',
      plan: 'enterprise',
      members: Object.entries(users).flatMap(([user, { role }]) =>
        role === undefined ? [] : [{ user, role }],
      ),
    },
    {
      name: outsider.organization,
      plan: 'enterprise',
      members: [{ user: outsider.name, role: 'admin' }],
    },
  ],
  apps: [
    { name: 'Public app', clientId: apps.public.id, redirectUris: [redirectUri], scopes },
    {
      name: 'Secret app',
      clientId: apps.secret.id,
      clientSecret: apps.secret.secret,
      redirectUris: [redirectUri],
      scopes,
    },
    {
      name: 'Exchange app',
      clientId: apps.exchange.id,
      clientSecret: apps.exchange.secret,
      organization: 'acme',
      privileges: ['token-exchange'],
      scopes: ['openid', 'profile', 'email', 'read-repos'],
    },
  ],
  repos: [
    { type: 'dataset', name: 'acme/corpus', files: { 'README.md': '# Corpus' } },
    { type: 'model', name: 'acme/secret', private: true, files: { 'README.md': '# Secret' } },
    // Its content loads the hashes of Xet before a run begins.
    { type: 'bucket', name: 'acme/store', files: { 'a.bin': stored.text } },
    ...[outsider.name, outsider.organization].flatMap((owner) =>
      repoTypes.map((type) => ({
        type,
        name: `${owner}/${outsider.repo}`,
        files: { 'README.md': '# Thing' },
      })),
    ),
  ],
}
