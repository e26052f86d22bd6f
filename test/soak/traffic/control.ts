import { aliceToken, redirectUri } from '../fixtures.ts'
import type { Act } from './client.ts'

interface Made {
  id: string
}

const lookAround: Act = async (client) => {
  const what = ['overview', 'requests', 'flows', 'facts', 'overrides', 'audit-log', 'sessions']
  for (const path of what) await client.control('GET', path)
  const { items } = await client.control<{ items: Made[] }>('GET', 'requests?limit=3')
  for (const { id } of items) await client.request('GET', `/_sandbox/api/requests/${id}`)
  await client.control('POST', 'search', { q: client.pick(['alice', 'acme', 'nothing at all']) })
}

const exportAll: Act = async (client) => {
  await client.control('GET', 'export')
  await client.control('GET', 'export?log=1')
  expectText(await client.request('GET', '/_sandbox/api/requests.har'))
}
const expectText = ({ text }: { text: string }) => void JSON.parse(text)

/** Rules that are used up, taken away, or left for others to meet. */
const faults: Act = async (client) => {
  const rule = client.pick<{ match: object; [field: string]: unknown }>([
    { match: { route: '/api/whoami-v2' }, times: 1, status: 503 },
    { match: { route: '/oauth/token' }, times: 1, oauthError: 'invalid_grant' },
    { match: { route: '/oauth/userinfo' }, times: 1, delay: '1s' },
    { match: { route: '/oauth/jwks' }, times: 1, break: 'reset' },
    { match: { webhookId: '*' }, times: 2, status: 503 },
  ])
  const { id } = await client.control<Made>('POST', 'faults', rule)
  await client.request('GET', '/api/whoami-v2', { token: aliceToken })
  await client.control('POST', 'faults/preview', { match: rule.match })
  await client.control('GET', 'faults')
  await client.request('DELETE', `/_sandbox/api/faults/${id}`)
}

const barrier: Act = async (client) => {
  const route = '/api/agent-harnesses'
  const { id } = await client.control<Made>('POST', 'barriers', { match: { route }, count: 2 })
  const held = client.request('GET', route, { token: aliceToken })
  // It may fail before it is waited for, which would end the soak.
  held.catch(() => {})
  await client.control('GET', 'barriers')
  await client.request('POST', `/_sandbox/api/barriers/${id}/release`)
  await held
}

const snapshot: Act = async (client) => {
  const { name } = await client.control<{ name: string }>('POST', 'snapshots', {
    name: client.newName('snapshot'),
  })
  await client.control('GET', `snapshots/${name}/comparison`)
  await client.control('DELETE', `snapshots/${name}`)
}

const fork: Act = async (client) => {
  const { id, url } = await client.control<Made & { url: string }>('POST', 'forks', {})
  await client.request('GET', `${url}/api/whoami-v2`, { token: aliceToken })
  await client.control('DELETE', `forks/${id}`)
}

/** Somebody's app, user and token, made and taken away. */
const people: Act = async (client) => {
  const username = client.newName('user')
  const name = client.newName('app')
  await client.control('POST', 'users', { username })
  const app = await client.control<{ clientId: string }>('POST', 'apps', {
    name,
    public: true,
    redirectUris: [redirectUri],
    scopes: ['openid'],
  })
  await client.control('POST', 'tokens', { user: username, role: 'read' })
  const tokens = await client.control<{ items: Made[] }>('GET', `tokens?user=${username}`)
  await client.control('POST', 'sessions', { user: username })
  for (const { id } of tokens.items) {
    await client.control('GET', `tokens/${id}/rights`)
    await client.control('DELETE', `tokens/${id}`)
  }
  await client.control('DELETE', `apps/${app.clientId}`)
  await client.control('DELETE', `users/${username}`)
}

const demos: Act = async (client) => {
  const wanted = client.pick([
    { kind: 'sign-in', pace: 'at-once' },
    { kind: 'device', pace: 'steps' },
    { kind: 'exchange', pace: 'at-once' },
    { kind: 'refused', variant: 'pkce', pace: 'at-once' },
  ])
  const { id } = await client.control<Made>('POST', 'demos', wanted)
  await client.control('GET', 'demos')
  await client.request('DELETE', `/_sandbox/api/demos/${id}`)
}

export const controlActs: Record<string, Act> = {
  lookAround,
  exportAll,
  faults,
  barrier,
  snapshot,
  fork,
  people,
  demos,
}
