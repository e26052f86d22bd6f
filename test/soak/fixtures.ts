import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import type { Receivers } from './receivers.ts'

export const redirectUri = 'http://localhost:5173/callback'
export const publicApp = '00000000-0000-4000-8000-000000000001'
export const secretApp = {
  id: '00000000-0000-4000-8000-000000000002',
  secret: 'sandbox_secret_of_the_soak',
}
export const exchangeApp = {
  id: '00000000-0000-4000-8000-000000000003',
  secret: 'sandbox_exchange_of_the_soak',
}
export const aliceToken = 'hf_sandbox_alice'

/** Small enough for each to be reached early, since what is capped grows until then. */
const caps = {
  requests: 300,
  deliveries: 300,
  deliveryBytes: 1_000_000,
  auditRows: 300,
  consents: 50,
  registrations: 30,
  snapshots: 10,
}

/** Two users, an organization, an app of each kind, and webhooks to each receiver. */
export function soakFixtures(receivers: Receivers): FixturesFile {
  return {
    // The clock goes on by a day every few seconds: what expires has to, within a short run, too.
    config: { caps, lifetimes: { session: '2d' } },
    users: [
      { username: 'alice', tokens: [{ token: aliceToken, role: 'write' }] },
      { username: 'bob', tokens: [{ token: 'hf_sandbox_bob', role: 'write' }] },
    ],
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
        name: 'Secret app',
        clientId: secretApp.id,
        clientSecret: secretApp.secret,
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
    repos: [{ type: 'dataset', name: 'acme/corpus', files: { 'README.md': '# Corpus' } }],
    webhooks: [
      ...Object.values(receivers.urls).map((url) => ({
        owner: 'alice',
        url,
        watched: [{ type: 'org' as const, name: 'acme' }],
      })),
      {
        owner: 'alice',
        job: { dockerImage: 'python:3.12', command: ['python', '-V'] },
        watched: [{ type: 'org' as const, name: 'acme' }],
      },
    ],
  }
}
