import { expect, onTestFinished, test } from 'vitest'
import type { FixturesFile } from '../../server/contract/fixtures-types.ts'
import { startSandbox } from '../../server/index.ts'

const body = { name: 'chat', model: { repository: 'acme/tagger', secrets: { KEY: 'hush' } } }

interface Endpoint {
  status: { state: string; url?: string; readyReplica: number }
}

async function start(inferenceEndpoints: FixturesFile['inferenceEndpoints'] = []) {
  const fixtures: FixturesFile = {
    users: [
      { username: 'alice', canPay: true, tokens: [{ token: 'hf_sandbox_alice', role: 'write' }] },
      { username: 'carol', tokens: [{ token: 'hf_sandbox_carol', role: 'read' }] },
      { username: 'dave', tokens: [{ token: 'hf_sandbox_dave', role: 'write' }] },
    ],
    organizations: [
      {
        name: 'acme',
        canPay: true,
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'carol', role: 'read' },
        ],
      },
    ],
    apps: [{ name: 'App', redirectUris: ['http://localhost/'] }],
    inferenceEndpoints,
    clock: { now: '2026-03-01T12:00:00Z', frozen: true },
  }
  const sandbox = await startSandbox({ fixtures })
  onTestFinished(() => sandbox.close())
  const call = async (method: string, path: string, json?: unknown, token = 'hf_sandbox_alice') => {
    const response = await fetch(new URL(path, `${sandbox.url}/v2/endpoint/`), {
      method,
      headers: {
        ...(token === '' ? {} : { Authorization: `Bearer ${token}` }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    })
    return { status: response.status, body: (await response.json()) as never }
  }
  const stateOf = async (path: string) => ((await call('GET', path)).body as Endpoint).status.state
  return { sandbox, call, stateOf }
}

test('an inference endpoint is pending, initializing and running on the sandbox clock', async () => {
  const { sandbox, call, stateOf } = await start()
  const made = await call('POST', 'alice', body)
  expect(made).toMatchObject({
    status: 200,
    body: {
      name: 'chat',
      type: 'authenticated',
      model: { repository: 'acme/tagger', framework: 'custom', revision: null, task: null },
      compute: { scaling: { minReplica: 0, maxReplica: 1 } },
      status: { state: 'pending', readyReplica: 0, targetReplica: 1 },
    },
  })
  expect(JSON.stringify(made.body)).not.toContain('hush')
  expect((made.body as Endpoint).status.url).toBeUndefined()
  await sandbox.clock.advance('1s')
  expect(await stateOf('alice/chat')).toBe('initializing')
  await sandbox.clock.advance('2s')
  const { body: running } = await call('GET', 'alice/chat')
  const { url = '' } = (running as Endpoint).status
  expect(running).toMatchObject({ status: { state: 'running', readyReplica: 1 } })
  expect((await call('GET', `${url}/health`)).body).toEqual({ status: 'ok' })
  const messages = [{ role: 'user', content: 'Hi' }]
  const completed = await call('POST', `${url}/v1/chat/completions`, { model: 'tgi', messages })
  expect(completed).toMatchObject({ status: 200, body: { model: 'tgi' } })
  expect((await call('GET', 'alice')).body).toMatchObject({ items: [{ name: 'chat' }] })
})

test('pause, resume, update, scaling to zero and deletion change the state', async () => {
  const { sandbox, call, stateOf } = await start([
    { namespace: 'acme', name: 'chat', repository: 'acme/tagger' },
  ])
  const post = async (move: string) => {
    const { status, body: answer } = await call('POST', `acme/chat/${move}`)
    return status === 200 ? (answer as Endpoint).status.state : status
  }
  expect(await stateOf('acme/chat')).toBe('running')
  expect(await post('resume')).toBe(400)
  expect(await post('pause')).toBe('paused')
  await sandbox.clock.advance('1d')
  expect(await stateOf('acme/chat')).toBe('paused')
  expect(await post('scale-to-zero')).toBe(400)
  expect(await post('resume')).toBe('pending')
  await sandbox.clock.advance('3s')
  const updated = await call('PUT', 'acme/chat', { compute: { instanceSize: 'x4' } })
  expect(updated.body).toMatchObject({
    compute: { instanceSize: 'x4', instanceType: 'intel-icl' },
    model: { repository: 'acme/tagger' },
    status: { state: 'updating' },
  })
  await sandbox.clock.advance('2s')
  expect(await stateOf('acme/chat')).toBe('running')
  expect(await post('scale-to-zero')).toBe('scaledToZero')
  expect((await call('DELETE', 'acme/chat')).status).toBe(200)
  expect((await call('GET', 'acme/chat')).status).toBe(404)
})

test('an idle inference endpoint scales to zero, and a request starts it', async () => {
  const { sandbox, call, stateOf } = await start([
    {
      namespace: 'alice',
      name: 'idle',
      repository: 'a/b',
      scaling: { minReplica: 0, scaleToZeroTimeout: 15 },
    },
  ])
  const { body: running } = await call('GET', 'alice/idle')
  const { url = '' } = (running as Endpoint).status
  await sandbox.clock.advance('10m')
  expect((await call('GET', `${url}/health`)).status).toBe(200)
  await sandbox.clock.advance('10m')
  expect(await stateOf('alice/idle')).toBe('running')
  await sandbox.clock.advance('5m')
  expect(await stateOf('alice/idle')).toBe('scaledToZero')
  expect((await call('GET', `${url}/health`)).status).toBe(503)
  await sandbox.clock.advance('3s')
  expect((await call('GET', `${url}/health`)).status).toBe(200)
})

test('access needs a member of the namespace, a scope and a payment method', async () => {
  const { sandbox, call } = await start([{ namespace: 'acme', name: 'chat', repository: 'a/b' }])
  const tokenWith = async (scope: string, orgIds: string[] = []) => {
    const minted = await call(
      'POST',
      `${sandbox.url}/_sandbox/api/tokens`,
      {
        user: 'alice',
        scope,
        organizations: orgIds,
      },
      '',
    )
    return (minted.body as { access_token: string }).access_token
  }
  const statuses = async (token: string) => [
    (await call('GET', 'acme', undefined, token)).status,
    (await call('POST', 'acme', { ...body, name: 'more' }, token)).status,
  ]
  expect(await statuses('')).toEqual([401, 401])
  expect(await statuses('hf_sandbox_dave')).toEqual([403, 403])
  expect(await statuses('hf_sandbox_carol')).toEqual([200, 403])
  expect(await statuses(await tokenWith('openid', ['acme']))).toEqual([403, 403])
  expect(await statuses(await tokenWith('write-endpoints'))).toEqual([403, 403])
  expect(await statuses(await tokenWith('read-endpoints', ['acme']))).toEqual([200, 403])
  expect(await statuses(await tokenWith('write-endpoints', ['acme']))).toEqual([200, 200])
  expect((await call('POST', 'dave', body, 'hf_sandbox_dave')).status).toBe(402)
  expect((await call('GET', 'nobody')).status).toBe(403)
})

test('only a public inference endpoint responds without a token', async () => {
  const { call } = await start([
    { namespace: 'acme', name: 'closed', repository: 'a/b' },
    { namespace: 'acme', name: 'open', repository: 'a/b', type: 'public' },
  ])
  const health = async (name: string, token?: string) => {
    const { body: endpoint } = await call('GET', `acme/${name}`)
    return (await call('GET', `${(endpoint as Endpoint).status.url}/health`, undefined, token))
      .status
  }
  expect([await health('open', ''), await health('closed', '')]).toEqual([200, 401])
  expect([await health('closed'), await health('closed', 'hf_sandbox_dave')]).toEqual([200, 403])
})

test.each([
  ['an array', [], 400],
  ['null', null, 400],
  ['a name in capitals', { ...body, name: 'Chat' }, 400],
  ['no model', { name: 'chat' }, 400],
  [
    'more replicas at least than at most',
    { ...body, compute: { scaling: { minReplica: 2 } } },
    400,
  ],
  ['too large', { ...body, tags: ['a'.repeat(70_000)] }, 400],
])('a creation is refused: %s', async (_name, json, status) => {
  const { call } = await start()
  expect((await call('POST', 'alice', json)).status).toBe(status)
})

test('a second inference endpoint of the same name is a conflict', async () => {
  const { call } = await start()
  expect((await call('POST', 'alice', body)).status).toBe(200)
  expect((await call('POST', 'alice', body)).status).toBe(409)
})

test('exported fixtures hold the inference endpoints, and a deleted organization takes its own', async () => {
  const { sandbox, call } = await start([
    { namespace: 'acme', name: 'chat', repository: 'a/b', state: 'paused', env: { A: 'b' } },
  ])
  await call('PUT', 'acme/chat', { compute: { accelerator: 'gpu' } })
  const exported = await call('GET', `${sandbox.url}/_sandbox/api/export`)
  const { inferenceEndpoints } = exported.body as FixturesFile
  expect(inferenceEndpoints).toMatchObject([
    { namespace: 'acme', name: 'chat', state: 'paused', accelerator: 'gpu', env: { A: 'b' } },
  ])
  const again = await start(inferenceEndpoints)
  const same = await again.call('GET', `${again.sandbox.url}/_sandbox/api/export`)
  expect((same.body as FixturesFile).inferenceEndpoints).toEqual(inferenceEndpoints)
})
