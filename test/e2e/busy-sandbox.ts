import { tokenExchangeGrant } from '../../server/contract/words/oauth-words.ts'
import type { Sandbox } from '../../server/index.ts'
import { startReceiver } from './pages/receiver.ts'

/** As long as names may be, without a place to break them. */
const account = 'W'.repeat(42)
const organization = 'Q'.repeat(42)
const repoName = 'M'.repeat(96)
const appName = 'N'.repeat(100)

export const longest = { account, organization, appName, repo: `${account}/${repoName}` }

const scopes =
  'openid profile email read-repos write-repos manage-repos contribute-repos gated-repos'

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

/**
 * Fills a sandbox with what weeks of work leave behind: everything that pages list, some of it many
 * times, with the longest names that are allowed.
 * @returns a function that ends what was started for it
 */
export async function makeBusy(sandbox: Sandbox): Promise<() => Promise<void>> {
  const post = (path: string, body: object) => sandbox.control<{ id: string }>('POST', path, body)
  const receiver = await startReceiver()
  await post('users', {
    username: account,
    fullname: 'Wilhelmina '.repeat(12).trim(),
    email: `${'w'.repeat(120)}@example.org`,
    isPro: true,
    canPay: true,
  })
  await post('organizations', {
    name: organization,
    fullname: 'Quality '.repeat(20).trim(),
    plan: 'enterprise',
    members: [{ user: account, role: 'admin' }],
  })
  await post('repos', { type: 'dataset', name: longest.repo, private: true })
  await post('repos', { type: 'bucket', name: longest.repo, private: true })
  await post('repos', { type: 'model', name: `${organization}/${repoName}` })
  const app = await sandbox.control<{ clientId: string }>('POST', 'apps', {
    name: appName,
    redirectUris: [`http://localhost:3000/${'callback'.repeat(30)}`],
    scopes: scopes.split(' '),
    public: true,
  })
  const watched = [
    { type: 'user', name: account },
    { type: 'org', name: organization },
    { type: 'dataset', name: longest.repo },
    { type: 'org', name: 'acme' },
  ]
  const base = { user: account, watched }
  await post('webhooks', { ...base, name: 'H'.repeat(120), url: receiver.url, secret: 'sesame' })
  await post('webhooks', { ...base, url: `http://localhost:9/${'p'.repeat(300)}` })
  await post('webhooks', { ...base, name: 'nightly', job: { dockerImage: 'i'.repeat(150) } })

  for (const user of [account, 'alice']) {
    await sandbox.signIn({ user, clientId: app.clientId, scope: scopes })
  }
  for (const _ of times(60)) {
    await post('tokens', { user: account, clientId: app.clientId, scope: scopes })
  }
  for (const index of times(40)) {
    await fetch(`${sandbox.url}/api/whoami-v2?${'long'.repeat(60)}`, {
      headers: { authorization: index % 2 === 0 ? 'Bearer hf_nobody' : 'Bearer hf_sandbox_alice' },
    })
  }
  await fetch(`${sandbox.url}/oauth/authorize?client_id=${'c'.repeat(200)}`)
  const pipeline = await sandbox.control<{ clientId: string }>('POST', 'apps', {
    name: 'P'.repeat(100),
    clientSecret: 'sesame',
    organization,
    privileges: ['token-exchange'],
  })
  for (const subject of [`${'w'.repeat(120)}@example.org`, `${'z'.repeat(200)}@example.org`]) {
    await fetch(`${sandbox.url}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${btoa(`${pipeline.clientId}:sesame`)}`,
        'user-agent': 'u'.repeat(300),
      },
      body: new URLSearchParams({
        grant_type: tokenExchangeGrant,
        subject_token: subject,
        subject_token_type: 'urn:service:token-type:user-email',
      }),
    })
  }
  const elsewhere = `https://example.org/${'elsewhere'.repeat(30)}`
  await fetch(
    `${sandbox.url}/oauth/authorize?${new URLSearchParams({ client_id: app.clientId, redirect_uri: elsewhere })}`,
  )
  for (const _ of times(2)) {
    const body = new URLSearchParams({ client_id: app.clientId, scope: 'openid profile' })
    await fetch(`${sandbox.url}/oauth/device`, { method: 'POST', body })
  }

  await fillHub(sandbox)

  const repo = `datasets/${longest.repo}`
  receiver.answer(503)
  await sandbox.trigger({ event: 'discussion.create', repo })
  await sandbox.trigger({ event: 'repo.content', repo })
  receiver.answer(200)
  await sandbox.trigger({ event: 'repo.content', kind: 'tag-create', repo })
  await sandbox.trigger({ event: 'repo.content', repo: 'datasets/acme/corpus' })
  await sandbox.idle()

  await post('trusted-publishers', {
    resource: repo,
    provider: 'github',
    name: 'T'.repeat(100),
    claims: {
      repository: `${organization}/${repoName}`,
      ref: `refs/heads/${'b'.repeat(200)}`,
      environment: 'production',
      workflow: 'publish.yml',
    },
  })
  await post('trusted-publishers', {
    resource: account,
    provider: 'gitlab',
    claims: { project_path: 'acme/nightly' },
    disabled: true,
  })
  const documentUrl = `https://client.example/${'document'.repeat(30)}`
  await post('client-metadata-documents', {
    url: documentUrl,
    document: { client_id: documentUrl, client_name: appName },
  })
  for (const path of ['/mcp', `/mcp?login&${'m'.repeat(200)}`]) {
    await fetch(`${sandbox.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
  }

  await sandbox.faults.add({ match: { route: `/api/${'f'.repeat(200)}` }, status: 503 })
  await post('barriers', { match: { route: '/api/models', clientId: 'b'.repeat(200) }, count: 2 })
  await sandbox.snapshot('s'.repeat(64))
  await post('links', { target: `http://localhost:9/${'t'.repeat(300)}` })
  return () => receiver.close()
}

/** Collections, inference endpoints, scheduled jobs and calls of models, with the longest texts that are allowed. */
async function fillHub(sandbox: Sandbox): Promise<void> {
  const post = (path: string, body: object) => sandbox.control<{ id: string }>('POST', path, body)
  const { id } = await post('collections', {
    owner: account,
    title: 'C'.repeat(60),
    description: 'D'.repeat(150),
  })
  const items = [
    { type: 'dataset', target: longest.repo, note: 'n'.repeat(500) },
    { type: 'model', target: `${organization}/${repoName}` },
    { type: 'paper', target: '2307.09288', note: 'Read this first' },
  ]
  for (const item of items) await post(`collections/${id}/items`, item)
  await post('inference-endpoints', {
    namespace: account,
    name: 'e'.repeat(32),
    repository: 'r'.repeat(300),
    instanceType: 't'.repeat(300),
    scaling: { scaleToZeroTimeout: 15 },
  })
  await post('scheduled-jobs', {
    user: account,
    dockerImage: 'i'.repeat(150),
    command: ['python', 'p'.repeat(300)],
    schedule: '0,5,10,15,20,25,30,35,40,45,50,55 9-17 * * 1-5',
  })
  const { id: suspended } = await post('scheduled-jobs', {
    user: 'alice',
    dockerImage: 'python:3.12',
    schedule: '@daily',
  })
  await post(`scheduled-jobs/${suspended}/run`, {})
  await sandbox.control('PATCH', `scheduled-jobs/${suspended}`, { suspend: true })
  for (const model of ['m'.repeat(300), 'acme/tagger']) {
    await fetch(`${sandbox.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer hf_sandbox_alice', 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
    })
  }
}
